import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
// @ts-expect-error plain JavaScript, for whatever Node is there
import { isStale } from '../../scripts/page.mjs'

/** A folder with files, each changed at its own time, in seconds. */
function folderWith(files: Readonly<Record<string, number>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, seconds] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), '')
    utimesSync(join(folder, name), seconds, seconds)
  }
  return folder
}

test.each<[string, Readonly<Record<string, number>>, boolean]>([
  ['that is missing', { 'web/a.tsx': 1 }, true],
  ['that is newer than its sources', { 'web/a.tsx': 1, 'web/deep/b.css': 2, 'built/index.html': 3 }, false],
  ['that is older than one of them', { 'web/a.tsx': 1, 'web/deep/b.css': 4, 'built/index.html': 3 }, true],
  ['whose tests alone have changed', { 'web/a.tsx': 1, 'web/a.test.ts': 4, 'built/index.html': 3 }, false],
])('a page %s is built by npm start: %o %s', (_, files, isBuilt) => {
  const folder = folderWith(files)
  expect(isStale([join(folder, 'web'), join(folder, 'nowhere')], join(folder, 'built/index.html'))).toBe(isBuilt)
})
