import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSharedFolder } from './shared-folder.ts'

test('a folder is for its owner alone, and those that dead programs left are removed', () => {
  const place = mkdtempSync(join(tmpdir(), 'place-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const [dead, other] = [join(place, 'dragoman-traces-999999999-abc'), join(place, 'dragoman-other')]
  for (const path of [dead, other]) mkdirSync(path)
  const first = createSharedFolder(place)
  const second = createSharedFolder(place)
  if (first === undefined || second === undefined) throw new Error('there is no folder')
  expect(statSync(first.path).mode & 0o777).toBe(0o700)
  expect([dead, other, first.path, second.path].map((path) => existsSync(path))).toEqual([false, true, true, true])
  first.remove()
  expect(existsSync(first.path)).toBe(false)
})

test('where nothing can be written there is none', () => {
  expect(createSharedFolder('/dev/null/nowhere')).toBeUndefined()
})
