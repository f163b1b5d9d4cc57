import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeFront, readPages, toSidebar } from '../../scripts/site/pages.ts'

const pages = readPages()
const known = new Set(['/', ...pages.map(({ path }) => `/${path.replace(/\.md$/, '')}`)])

/** Where the links of a page lead, without what comes after the path. */
function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path = '']) => path.replace(/\.md$/, ''))
}

test('the site has every document, each at a place of its own', () => {
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
  expect(pages.map(({ source }) => source)).toEqual(expect.arrayContaining(globSync('docs/**/*.md')))
  const listed = toSidebar(pages).flatMap(({ items }) => items.map(({ link }) => link))
  expect(new Set(['/', ...listed])).toEqual(known)
})

test.each(pages)('what $source links to is on the site', ({ text }) => {
  expect(linksOf(text).filter((path) => !known.has(path))).toEqual([])
})

test('the front page links to pages of the site and has the table of README.md', () => {
  const front = makeFront()
  const links = [...linksOf(front), ...[...front.matchAll(/link: (\/[\w-]+)/g)].map(([, path = '']) => path)]
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((path) => !known.has(path))).toEqual([])
})

test('where the repository is known, links to its files lead there', () => {
  const [page] = readPages('https://git.example/dragoman').filter(({ path }) => path === 'architecture.md')
  expect(page?.text).toContain('(https://git.example/dragoman/blob/main/src/server/gateway.ts)')
})
