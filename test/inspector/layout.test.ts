import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, startBrowser, type Tab } from './browser.ts'
import { fill, openScene, repaired, request, type Scene, said, script, user } from './scene.ts'
import { record } from './scroll-through.ts'

let browser: Browser
let scene: Scene
let tab: Tab

beforeAll(async () => {
  browser = await startBrowser()
  scene = await openScene({
    script: (question, asked, signal) =>
      question.includes('Again') ? said(repaired) : script(question, asked, signal),
  })
  await fill(scene)
  await scene.send(request([user('Again, please')]), {
    headers: { 'user-agent': 'a-client-with-a-rather-long-name/1' },
  })
  await scene.send({ ...request([user('Refused')]), tools: [{ type: 'function' }] })
})
afterAll(async () => {
  await browser?.close()
  await scene?.close()
})
afterEach(() => tab.page.close())

/** What of these is cut off, or takes more than one line. */
const misfits = (selectors: string): string => `(() => {
  const found = []
  for (const element of document.querySelectorAll(${JSON.stringify(selectors)})) {
    const { width, height } = element.getBoundingClientRect()
    if (width === 0) continue
    const range = document.createRange()
    range.selectNodeContents(element)
    const tops = [...range.getClientRects()].filter((rect) => rect.width > 0).map((rect) => rect.bottom)
    const lines = tops.length === 0 ? 0 : (Math.max(...tops) - Math.min(...tops)) / 16
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) found.push('cut off: ' + element.innerText)
    if (lines > 0.9) found.push('wrapped: ' + element.innerText)
  }
  return found
})()`

/** What of these reaches over the window, or over the one before it. */
const collisions = (selectors: string): string => `(() => {
  const boxes = [...document.querySelectorAll(${JSON.stringify(selectors)})].map((element) => ({
    words: element.innerText,
    ...element.getBoundingClientRect().toJSON(),
  }))
  return boxes.flatMap((box, nth) => {
    const before = boxes[nth - 1]
    const hits = before !== undefined && box.top < before.bottom - 2 && box.left < before.right + 4
    return hits || box.right > innerWidth ? [box.words] : []
  })
})()`

const oneLine =
  '.pane-title, .pane-tabs button, .call-name, .narrow-time, .facts-list li, .lane-names > span, .status, .badge'

describe.each([1440, 1024, 390])('at %i pixels', (width) => {
  async function open(path = ''): Promise<Page> {
    tab = await browser.open(scene.address + path, { width })
    return tab.page
  }

  test('titles, names and times of an exchange stand on one line, whole', async () => {
    const page = await open()
    await page.getByLabel('Filter the exchanges').fill('a-client')
    await page.locator('.row:not(.head)').click()
    await page.locator('.facts').waitFor()
    expect(await page.evaluate(misfits(oneLine))).toEqual([])
    expect(await page.evaluate(collisions('.lane-names > span'))).toEqual([])
  })

  test('nothing on any page is wider than the window', async () => {
    const page = await open()
    for (const path of ['#/exchanges', '#/overview', '#/reader', '#/playground']) {
      await page.goto(scene.address + path)
      await page.locator('main').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width)
    }
  })

  test('every column of the list is in sight, and names of errors and notes stand on one line', async () => {
    const page = await open()
    await page.locator('.row').nth(4).waitFor()
    expect(
      await page.evaluate(`(() => {
      const { scrollWidth, clientWidth } = document.querySelector('.scroller')
      return scrollWidth - clientWidth
    })()`),
    ).toBeLessThanOrEqual(0)
    await page.goto(`${scene.address}#/overview`)
    await page.locator('.bar-name').first().waitFor()
    if (width > 900) expect(await page.evaluate(misfits('.bar-name'))).toEqual([])
  })

  test('a row far down is in sight when it is opened, and when it is closed again', async () => {
    const many = await openScene()
    record(many, 200)
    tab = await browser.open(many.address, { width })
    const { page } = tab
    const isInSight = `(() => {
      const list = document.querySelector('.scroller')?.getBoundingClientRect()
      const row = document.querySelector('.row[data-current]')?.getBoundingClientRect()
      return list !== undefined && row !== undefined && row.top >= list.top - 1 && row.bottom <= list.bottom + 1
    })()`
    await page.locator('.row').nth(4).waitFor()
    await page.locator('.scroller').focus()
    for (let nth = 0; nth < 60; nth++) await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('.facts').waitFor()
    if (width > 900) await expect.poll(() => page.evaluate(isInSight)).toBe(true)
    await page.keyboard.press('Escape')
    await page.locator('.facts').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(isInSight)).toBe(true)
    await many.close()
  })
})

test('the reader counts a note that comes again, and tells it once', async () => {
  tab = await browser.open(`${scene.address}#/reader`)
  const { page } = tab
  const notes = page.locator('.outcome-got .call-note').filter({ hasText: 'single quotes' })
  await notes.first().waitFor()
  expect(await notes.count()).toBe(1)
  expect(await notes.innerText()).toContain('×5')
})

test('what is kept at most is told in the units of the config file', async () => {
  tab = await browser.open(scene.address)
  await tab.page.keyboard.press('?')
  await tab.page.getByRole('dialog').getByText('256 MB at most').waitFor()
})
