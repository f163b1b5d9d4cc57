import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
]

/** Links to files (relative to the page) and backticked paths (relative to the top of the project). */
function toPaths(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8')
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path]) => join(dirname(page), path ?? ''))
  const named = [...text.matchAll(/`((?:src|test|docs|bench|scripts|\.ci)\/[\w./-]*)`/g)].map(([, path]) => path ?? '')
  return [...links, ...named].map((path) => normalize(path))
}

describe('the documents', () => {
  test.each(pages)('%s names only paths that exist', (page) => {
    expect(toPaths(page).filter((path) => !existsSync(path))).toEqual([])
  })

  test('ARCHITECTURE.md names paths, and can be read in one sitting', () => {
    expect(toPaths('ARCHITECTURE.md').length).toBeGreaterThan(15)
    expect(readFileSync('ARCHITECTURE.md', 'utf8').split('\n').length).toBeLessThanOrEqual(200)
  })

  test('ARCHITECTURE.md has every folder of src on its map', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const named = toPaths('ARCHITECTURE.md').join('\n')
    expect(folders.map(({ name }) => name).filter((name) => !named.includes(`src/${name}/`))).toEqual([])
  })

  test('docs/dependencies.md gives a reason for every dependency', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const page = readFileSync('docs/dependencies.md', 'utf8')
    const silent = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !page.includes(`\`${name}\``))
    expect(silent).toEqual([])
  })
})
