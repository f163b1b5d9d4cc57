import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verbs } from '../../src/cli/verbs.ts'
import { createFolder, runDragoman } from '../dragoman.ts'

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/*.md').toSorted()]

/** What repository pages make of a heading, and the site too. */
function toAnchor(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
    .replaceAll(' ', '-')
}

function withoutCode(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '')
}

function anchorsOf(page: string): ReadonlySet<string> {
  return new Set([...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading)))
}

test.each(pages)('the links of %s to headings lead to one', (page) => {
  const links = [...withoutCode(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
  const lost = links.filter(([, path, anchor = '']) => {
    const target = path === '' ? page : normalize(join(dirname(page), path ?? ''))
    return !anchorsOf(target).has(anchor)
  })
  expect(lost.map(([link]) => link)).toEqual([])
})

test('the anchor of a heading is the one repository pages give it', () => {
  expect(['`poe`: Poe’s bots', "Ollama's clients", 'glm-4.7'].map(toAnchor)).toEqual([
    'poe-poes-bots',
    'ollamas-clients',
    'glm-47',
  ])
})

describe('the commands and configs of the documents', () => {
  test.each(pages)('%s names only commands there are', (page) => {
    const known = verbs.map(({ name }) => name)
    const text = readFileSync(page, 'utf8')
    const named = [...text.matchAll(/(?:^|`)(?:npx )?dragoman ([a-z]+)\b/gm)].map(([, name = '']) => name)
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  const configs = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/<!-- config -->\n```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => ({
      page,
      yaml,
    })),
  )

  test.each(configs)('a config of $page is right', async ({ yaml }) => {
    const { folder, remove } = createFolder({ 'dragoman.yaml': yaml })
    const names = [...yaml.matchAll(/env:(\w+)/g)].map(([, name = '']) => [name, 'a-key-of-some-length'])
    const outcome = await runDragoman(['config', 'check'], { folder, environment: Object.fromEntries(names) })
    remove()
    expect(outcome).toMatchObject({ code: 0 })
  })
})

test('docs/notes.md names every header of ours, and no other', () => {
  const headersIn = (text: string) => [...text.matchAll(/x-dragoman-[a-z-]+/g)].map(([name]) => name)
  const sources = globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
  const used = new Set(sources.flatMap((path) => headersIn(readFileSync(path, 'utf8'))))
  expect(new Set(headersIn(readFileSync('docs/notes.md', 'utf8')))).toEqual(used)
})
