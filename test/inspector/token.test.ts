import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createKeyring } from '../../src/server/access/auth.ts'
import { createLog } from '../../src/server/telemetry/log.ts'
import { seriousFindings } from './axe.ts'
import { type Browser, startBrowser } from './browser.ts'
import { openScene, type Scene, script } from './scene.ts'

const key = 'dg-client-key-0123456789'
let browser: Browser
let scene: Scene | undefined
let lines: string[] = []

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())
afterEach(async () => {
  await scene?.close()
  scene = undefined
})

/** A gateway whose inspector takes the token: it has keys, and in the other case others can reach it, too. */
async function openLocked(why: 'keys' | 'address'): Promise<Scene> {
  lines = []
  const log = createLog({ write: (line) => lines.push(line), pretty: false, now: Date.now })
  const more = { keyring: createKeyring([key]), ...(why === 'address' && { host: '0.0.0.0' }) }
  scene = await openScene({ script, gateway: { ...more, log, debug: true } })
  return scene
}

describe.each(['keys', 'address'] as const)('where the inspector takes a token because of its %s', (why) => {
  const needed = 'The inspector needs its token.'
  test.each<[string, string, string]>([
    ['no token', '', needed],
    ['a wrong one', `?token=${'a'.repeat(32)}`, 'This is not the token of this gateway.'],
    ['an empty one', '?token=', needed],
  ])('an address with %s shows where to find it, and nothing else', async (_, search, words) => {
    const { address, recorder } = await openLocked(why)
    const { page, hosts } = await browser.open(address + search)
    expect(await page.getByRole('heading').innerText()).toBe(words)
    expect(await page.locator('main').innerText()).toMatch(/Open the address with[\s\S]*\/inspector\?token=…/)
    // As the start page looks: a styled page, not a line of text in the corner.
    expect((await page.getByRole('heading').boundingBox())?.y).toBeGreaterThan(40)
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.locator('script, link').count()).toBe(0)
    const { status } = await fetch(`${address}api/exchanges`)
    expect(status).toBe(401)
    expect(hosts.size).toBe(1)
    expect(recorder.list({ limit: 1 }).total).toBe(0)
    await page.close()
  })

  test('the printed address opens it, and the token stays nowhere', async () => {
    const { address, token } = await openLocked(why)
    const { page, problems } = await browser.open(`${address}?token=${token}#/overview`)
    await page.getByRole('status').getByText('live').waitFor()
    expect(page.url()).toBe(`${address}#/overview`)
    const session = await page.context().newCDPSession(page)
    const { entries } = await session.send('Page.getNavigationHistory')
    expect(entries.map(({ url }) => url).join()).not.toContain(token)
    const seen = await page.evaluate(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])',
    )
    expect(seen).not.toContain(token)
    expect(lines.join('\n')).not.toContain(token)
    // The next visit needs it no more.
    await page.goto(address)
    await page.getByRole('status').getByText('live').waitFor()
    expect(problems).toEqual([])
    await page.context().clearCookies()
    await page.close()
  })
})

test('a gateway that was started anew has another token: the page says what to do', async () => {
  const { address, token } = await openLocked('keys')
  const { page } = await browser.open(`${address}?token=${token}`)
  await page.getByRole('status').getByText('live').waitFor()
  await page.context().clearCookies()
  await page.reload()
  expect(await page.locator('body').innerText()).toContain('The inspector needs its token.')
  await page.close()
})

test('where clients need a key, the playground asks for one, and keeps it to itself', async () => {
  const { address, token, recorder } = await openLocked('keys')
  const { page } = await browser.open(`${address}?token=${token}#/playground`)
  const field = page.getByLabel('API key')
  await field.fill('wrong-key-0000')
  await field.press('Tab')
  await page.getByText('✕ Incorrect API key').waitFor()
  await field.fill(key)
  await field.press('Tab')
  await page
    .getByRole('combobox', { name: 'Model' })
    .locator('option', { hasText: 'llama-3.3' })
    .waitFor({ state: 'attached' })
  await page.getByLabel('Message 1', { exact: true }).fill('Hello there')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('#pane-got').getByText('Hello there').first().waitFor()
  expect(await field.getAttribute('type')).toBe('password')
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])')
  expect(kept).not.toContain(key)
  const [newest] = recorder.list({ limit: 1 }).exchanges
  expect(JSON.stringify(recorder.find(newest?.id ?? ''))).not.toContain(key)
  expect(lines.join('\n')).not.toContain(key)
  await page.close()
})
