import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from './axe.ts'
import { type Browser, startBrowser } from './browser.ts'
import { buildPage, serveFolder } from './built.ts'

let browser: Browser
let folder: string
let first: string
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  ;[browser, first, folder] = await Promise.all([startBrowser(), buildPage(), buildPage('site')])
  site = await serveFolder(folder)
})
afterAll(async () => {
  site?.close()
  await browser?.close()
})

test('the reader reads in the browser, piece by piece, without a gateway', async () => {
  const { page, problems, hosts } = await browser.open(`${site.address}reader.html`)
  await page
    .getByLabel('What the model said')
    .fill('I look.\n\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a", "limit": "4",}}\n</tool_call>')
  const became = page.getByRole('region', { name: 'What came of it' })
  await became.getByText('{"path": "a", "limit": 4}').waitFor()
  expect(await became.getByText('call 1').first().isVisible()).toBe(true)
  expect(await became.innerText()).toMatch(
    /coerced · call 1[\s\S]*json_repaired · call 1[\s\S]*finish reason tool_calls/,
  )
  const readAs = page.getByRole('region', { name: 'Read as' })
  expect(await readAs.locator('.run.call').innerText()).toContain('"limit": "4",}')

  // Half of it: the call is open, its name still held back.
  const slider = page.getByRole('slider')
  await slider.fill('5')
  expect(await readAs.locator('.run.held').count()).toBe(1)
  expect(await became.innerText()).not.toContain('finish reason')
  await slider.press('End')

  await page.getByLabel('Dialect').selectOption('qwen3-coder')
  await page.getByRole('button', { name: 'Show me two calls in this dialect' }).click()
  await became.getByText('call 2').first().waitFor()
  expect(await page.getByLabel('What the model said').inputValue()).toContain('<function=read_file>')

  // YAML is read by a library of which the page has only what reads.
  await page.getByLabel('Dialect').selectOption('yaml-xml')
  await page
    .getByLabel('What the model said')
    .fill('<search>\nquery: |\n  two\n  lines\npaths: [src, "test"]\n</search>')
  await became.getByText('{"query": "two\\nlines\\n", "paths": ["src", "test"]}').waitFor()

  await page.getByLabel('Tools it was offered').fill('[{]')
  await page.getByText('✕').first().waitFor()
  expect(problems).toEqual([])
  expect([...hosts]).toEqual([new URL(site.address).host])
})

test('the playground answers in the browser while it streams, without a gateway', async () => {
  const { page, problems, hosts } = await browser.open(`${site.address}playground.html`)
  expect(await page.getByRole('banner').innerText()).toContain('a scripted stand-in. For real models, run dragoman')
  // It begins by itself.
  const said = page.locator('#pane-said')
  const got = page.locator('#pane-got')
  // Mid-stream: the model has begun to speak, and its answer is not over.
  await said.getByText("I'll").first().waitFor()
  expect(await page.getByRole('button', { name: 'Stop' }).isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Send' }).waitFor()
  await got.getByText('get_weather').first().waitFor()
  expect(await page.locator('#pane-asked').innerText()).toContain('Aarhus')
  expect(await page.locator('#pane-sent').innerText()).toContain('# Tools')
  expect(await said.innerText()).toContain('Aarhus')

  await page.getByLabel('Dialect').selectOption('qwen3-coder')
  await page.getByRole('button', { name: 'Send' }).click()
  await said.getByText('<function=get_weather>').first().waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Send' }).waitFor()

  await page.getByRole('textbox', { name: 'Tools' }).fill('[{"type": "function"}]')
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await page.getByRole('alert').innerText()).toMatch(/tools\[0\]/)
  expect(problems).toEqual([])
  expect([...hosts]).toEqual([new URL(site.address).host])
})

test('axe-core finds nothing serious in the reader and the playground', async () => {
  const { page } = await browser.open(`${site.address}reader.html`)
  await page.getByRole('slider').fill('30')
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('#pane-got').waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

test('every view, with all it ever loads, is at most 128 kB, zipped', () => {
  const assets = readdirSync(join(first, 'assets'))
  const html = readFileSync(join(first, 'index.html'), 'utf8')
  const firstLoaded = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name = '']) => name)

  /** Everything that a part brings with it, now or later. */
  function broughtBy(name: string, found = new Set<string>()): ReadonlySet<string> {
    if (found.has(name)) return found
    found.add(name)
    const code = readFileSync(join(first, 'assets', name), 'utf8')
    for (const other of assets) if (code.includes(`./${other}`) && !firstLoaded.includes(other)) broughtBy(other, found)
    return found
  }
  function sizeOf(names: Iterable<string>): number {
    let bytes = gzipSync(html, { level: 9 }).length
    for (const name of names) bytes += gzipSync(readFileSync(join(first, 'assets', name)), { level: 9 }).length
    return bytes
  }
  const sizes = { list: sizeOf(firstLoaded) } as Record<string, number>
  for (const [view, part] of [
    ['conversation', 'conversation'],
    ['playground', 'at-gateway'],
    ['reader', 'reader'],
    ['overview', 'overview'],
  ] as const) {
    const names = assets.filter((name) => name.startsWith(`${part}-`))
    expect(names.length, view).toBeGreaterThan(0)
    sizes[view] = sizeOf(new Set([...firstLoaded, ...names.flatMap((name) => [...broughtBy(name)])]))
  }
  console.log(sizes, `all of it ${sizeOf(assets)} bytes, zipped`)
  for (const [view, bytes] of Object.entries(sizes)) expect(bytes, view).toBeLessThan(128_000)
  expect(html).not.toMatch(/<style|<script(?![^>]*src=)| style=| on\w+=/)
})
