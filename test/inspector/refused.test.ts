import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Browser, startBrowser, type Tab } from './browser.ts'
import { fill, openScene, type Scene, script } from './scene.ts'

const doors = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/api/chat']
const wrong = { model: 'qwen3-coder', messages: 3, input: 3 }

let browser: Browser
let scene: Scene

beforeAll(async () => {
  browser = await startBrowser()
  scene = await openScene({ script })
  await fill(scene)
  for (const path of doors)
    for (const body of ['', '{"model": ', wrong])
      await scene.send(body as object, { path, headers: { 'user-agent': 'wrong/1' } })
  const headers = { 'user-agent': 'opencode/1.2', 'x-conversation-id': 'main' }
  await scene.send(wrong, { headers })
})
afterAll(async () => {
  await browser?.close()
  await scene?.close()
})

const sentInAll = 5 + 3 * doors.length + 1

let tab: Tab
async function open(path = ''): Promise<Page> {
  tab = await browser.open(scene.address + path)
  return tab.page
}
afterEach(() => tab.page.close())

test('requests that were refused are no conversation', async () => {
  const page = await open()
  await page.locator('.row').nth(10).waitFor()
  expect(await page.locator('.row.group').count()).toBe(1)
  expect(await page.locator('.row.group').innerText()).toContain('3 turns')
})

test.each([
  ['', 'Unreadable request', 'The request had no body.'],
  ['{"model": ', 'Unreadable request', '{"model":'],
  ['messages that are none', 'qwen3-coder', '(empty)'],
])('a refused request (%s) opens with its title and its body', async (body, title, words) => {
  const page = await open()
  const nth = ['messages that are none', '{"model": ', ''].indexOf(body)
  await page.getByLabel('Filter the exchanges').fill('door:chat client:wrong')
  await page.locator('.row:not(.head)').nth(nth).click()
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  const asked = page.locator('.pane.asked')
  if (words !== '(empty)') await expect.poll(() => asked.innerText()).toContain(words)
  await page.getByText('Nothing was sent to a model.').first().waitFor()
  await page.getByText('More').click()
  expect(await page.getByRole('button', { name: 'Show the conversation' }).isDisabled()).toBe(true)
})

test('a conversation with a turn that was refused shows all of them', async () => {
  const page = await open()
  await page.getByRole('link', { name: '3 turns' }).click()
  await page.getByRole('link', { name: 'Turn 3' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Where is the reader created?')
  expect(await page.getByText("can't be shown").count()).toBe(0)
})

test('a turn that can no longer be read leaves the others to be seen', async () => {
  const page = await open()
  const [first] = await scene.recorder.list({ limit: 50 }).exchanges.filter(({ gist }) => gist?.startsWith('Where is'))
  await page.route(`**/api/exchanges/${first?.id}`, (route) =>
    route.fulfill({ status: 404, json: { error: { message: 'This exchange is not kept, or not any more.' } } }),
  )
  await page.getByRole('link', { name: '3 turns' }).click()
  await page.getByText('✕ This exchange is not kept').waitFor()
  expect(await page.getByRole('link', { name: /^Turn \d/ }).count()).toBe(3)
})

test('an address of a conversation without a name leads to the list', async () => {
  const page = await open('#/conversations/')
  await page.getByRole('columnheader').first().waitFor()
})

test('the overview counts all of them, whatever is chosen, and tells those without a model apart', async () => {
  const page = await open('#/overview')
  const requests = page.locator('.tile').filter({ hasText: 'requests' }).locator('.tile-value')
  await expect.poll(() => requests.innerText()).toBe(String(sentInAll))
  const rows = page.getByRole('row').filter({ hasText: 'no model named' })
  expect(await rows.locator('td').first().innerText()).toBe('8')
  await rows.getByRole('button').click()
  await expect.poll(() => requests.innerText()).toBe('8')
  expect(await page.locator('.table-box').filter({ hasText: 'Errors' }).innerText()).not.toContain('upstream_timeout')
  await page.getByRole('combobox', { name: 'Model' }).selectOption('all models')
  await expect.poll(() => requests.innerText()).toBe(String(sentInAll))
})
