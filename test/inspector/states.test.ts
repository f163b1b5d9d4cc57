import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from './axe.ts'
import { type Browser, startBrowser } from './browser.ts'
import { openScene, request, type Scene, said, user } from './scene.ts'
import { record, scrollThrough } from './scroll-through.ts'

let browser: Browser
const scenes: Scene[] = []

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  for (const scene of scenes) await scene.close()
})

async function open(...options: Parameters<typeof openScene>): Promise<Scene> {
  const scene = await openScene(...options)
  scenes.push(scene)
  return scene
}

test('before anything was asked, the page says how', async () => {
  const scene = await open()
  const { page, problems } = await browser.open(scene.address)
  await page.getByRole('heading', { name: 'Nothing has been asked yet' }).waitFor()
  const command = await page.locator('.command pre').innerText()
  expect(command).toContain(`${scene.origin}/v1/chat/completions`)
  const body = () => page.locator('.command pre').innerText()
  await expect.poll(async () => JSON.parse(/-d '(.*)'$/s.exec(await body())?.[1] ?? '').model).toBe('qwen3-coder')
  expect(await seriousFindings(page)).toEqual([])
  await scene.send(request([user('Hello')]))
  await page.getByRole('row').filter({ hasText: 'Hello' }).waitFor()
  expect(problems).toEqual([])
})

test('before anything was asked, three lines lead to the first exchange, and one of them without leaving the page', async () => {
  const scene = await open()
  const { page, problems } = await browser.open(scene.address, { width: 390 })
  const steps = page.locator('.first-steps > li')
  await steps.nth(2).waitFor()
  expect(await steps.count()).toBe(3)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await steps.getByRole('link', { name: 'playground' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => scene.recorder.list({ limit: 1 }).total).toBe(1)
  await page.getByRole('link', { name: 'Exchanges' }).click()
  await page.locator('.row').first().waitFor()
  expect(problems).toEqual([])
  await page.close()
})

test('where nothing is recorded, the page says so, and how to change that', async () => {
  const scene = await open({ traces: { store: 'off' } })
  const { page } = await browser.open(scene.address)
  await page.getByRole('heading', { name: 'Recording is off' }).waitFor()
  expect(await page.getByText('not recording').count()).toBe(1)
})

test('where texts are not recorded, the panes say so', async () => {
  const scene = await open({ traces: { bodies: false } })
  await scene.send(request([user('Hello')]))
  const { page } = await browser.open(scene.address)
  await page.locator('.row:not(.head)').click()
  await expect.poll(() => page.getByText("Texts aren't recorded here").count()).toBe(4)
})

test('of a text that was too long to keep, the beginning is shown, and that it is one', async () => {
  const scene = await open({ script: () => said('word '.repeat(240_000), 100_000) })
  await scene.send(request([user('x'.repeat(1_100_000))], { tools: [] }))
  const { page } = await browser.open(scene.address)
  await page.locator('.row:not(.head)').click()
  await page.locator('.pane.asked .truncated').waitFor()
  expect(await page.locator('.pane.said .truncated').innerText()).toContain('of 1,200,000 characters')
  expect(await page.locator('.pane.said .fold').innerText()).toMatch(/[\d,]+ more lines/)
})

test.each([
  [390, 0],
  [1440, 320],
])('an exchange that is no longer kept says so, where an exchange would stand, %i pixels wide', async (width, left) => {
  const scene = await open()
  await scene.send(request([user('Kept')]))
  const { page } = await browser.open(`${scene.address}#/exchanges/nothing`, { width })
  const heading = page.getByRole('heading', { name: "This exchange can't be shown" })
  await heading.waitFor()
  const place = () =>
    page.evaluate<{ middle: number; line: string }>(`(() => {
      const empty = document.querySelector('.empty')
      const { left, right } = empty.getBoundingClientRect()
      return { middle: (left + right) / 2, line: getComputedStyle(empty).borderRightWidth }
    })()`)
  // In the middle of the room there is, once the list beside it is there.
  await expect.poll(async () => (await place()).middle).toBeCloseTo((left + width) / 2, -1)
  expect((await place()).line).toBe('0px')
  expect((await heading.boundingBox())?.x).toBeLessThan(left + (width > 900 ? 240 : 40))
})

/** As when another tab is looked at, or this one again. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { get: () => ${isHidden}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
}

test('tabs that nobody looks at leave the connections of the browser to others, and catch up', async () => {
  const scene = await open()
  await scene.send(request([user('Before')]))
  const tabs: Page[] = []
  for (let nth = 0; nth < 7; nth++) {
    const { page } = await browser.open(scene.address)
    await page.getByRole('row').filter({ hasText: 'Before' }).waitFor()
    await page.clock.install()
    await setHidden(page, true)
    await page.clock.fastForward(10_000)
    tabs.push(page)
  }
  await scene.send(request([user('After')]))
  const [first] = tabs
  expect(await first?.getByRole('row').filter({ hasText: 'After' }).count()).toBe(0)
  expect(await first?.getByRole('alert').count()).toBe(0)
  if (first !== undefined) await setHidden(first, false)
  await first?.clock.resume()
  await first?.getByRole('row').filter({ hasText: 'After' }).waitFor()
  for (const tab of tabs) await tab.close()
})

test('when the gateway goes away the page says so, and goes on when it is back', async () => {
  const scene = await open()
  await scene.send(request([user('Before')]))
  const { page } = await browser.open(scene.address)
  await page.getByRole('row').filter({ hasText: 'Before' }).waitFor()
  await scene.close()
  await page.getByRole('alert').getByText('Lost the connection to Dragoman').waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'Before' }).count()).toBe(1)
  const back = await open({ gateway: { port: scene.port } })
  await back.send(request([user('After')]))
  await page.getByRole('button', { name: 'Try now' }).click()
  await page.getByRole('row').filter({ hasText: 'After' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('ten thousand exchanges are scrolled without jank, and new ones do not move what is read', async () => {
  const scene = await open()
  record(scene, 10_000)
  const { page } = await browser.open(scene.address)
  await page.locator('.row').nth(5).waitFor()
  const counted = () => page.getByRole('treegrid').getAttribute('aria-rowcount')
  await expect.poll(counted, { timeout: 15_000 }).toBe('10001')
  const frames = await page.evaluate<number[]>(scrollThrough(120, 0))
  const sorted = frames.toSorted((one, other) => one - other)
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
  console.log(`10,000 rows: ${frames.length} frames, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, worst ${at(1)} ms`)
  expect(await page.locator('.row').count()).toBeLessThan(90)
  // A smooth frame is 17 ms; the machine may be busy with other tests.
  expect(Number(at(0.5))).toBeLessThan(250)

  await page.locator('.scroller').evaluate((element) => element.scrollTo({ top: 5_000 }))
  await page.evaluate(twoFrames)
  const middle = page.locator('.row').nth(20)
  const [before, words] = [await middle.boundingBox(), await middle.innerText()]
  record(scene, 7, 'newcomer')
  await page.getByRole('button', { name: '7 new' }).waitFor()
  await page.evaluate(twoFrames)
  const same = page.locator('.row', { hasText: words.split('\n').at(-1) ?? '' })
  expect((await same.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
  await page.getByRole('button', { name: '7 new' }).click()
  await page.getByText('newcomer').first().waitFor()
}, 40_000)

/** What was scrolled to is on the screen then. */
const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
