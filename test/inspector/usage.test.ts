import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashKey } from '../../src/config/keys.ts'
import { createKeyring } from '../../src/server/access/auth.ts'
import { createBudgets } from '../../src/server/accounts/budgets.ts'
import { createSqliteAccounts } from '../../src/server/accounts/sqlite.ts'
import { seriousFindings } from './axe.ts'
import { type Browser, startBrowser } from './browser.ts'
import { openScene, request, type Scene, script, user } from './scene.ts'

const store = createSqliteAccounts(':memory:')
let browser: Browser
let scene: Scene

beforeAll(async () => {
  browser = await startBrowser()
  const key = { name: 'alice', hash: hashKey('sk-alice'), tokensPerDay: 10_000 }
  scene = await openScene({
    script,
    gateway: {
      keyring: createKeyring([key, { name: 'bob', hash: hashKey('sk-bob') }]),
      budgets: createBudgets({ store, teams: new Map(), prices: new Map(), now: Date.now }),
      labels: new Set(['qwen3-coder']),
    },
  })
  for (const name of ['alice', 'bob'])
    await scene.send(request([user('Where is the swordfish?')]), { headers: { authorization: `Bearer sk-${name}` } })
})
afterAll(async () => {
  await browser?.close()
  await scene?.close()
  await store.close()
})

test.each([1440, 390])(
  'a person with a key sees usage and what is left, and no conversation (%i wide)',
  async (width) => {
    const { page, problems } = await browser.open(scene.address, { width })
    const field = page.getByLabel('with your API key')
    await field.fill('sk-nobody')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('heading', { name: 'This is no key of this gateway, or not any more.' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await field.fill('sk-alice')
    await page.getByRole('button', { name: 'Show' }).click()

    await page.getByRole('heading', { name: 'Your key: alice' }).waitFor()
    const own = await page.locator('.own-box').innerText()
    expect(own.replace(/\s+/g, ' ')).toContain('tokens per day 8,064 left of 10,000')
    // Nothing sticks out at the sides.
    const box = await page.locator('.own-box li').first().boundingBox()
    expect(box?.x).toBeGreaterThan(8)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(width - 8)
    expect(await page.locator('.tile').filter({ hasText: 'requests' }).locator('.tile-value').innerText()).toBe('2')
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual(['Reader', 'Overview'])
    expect(await seriousFindings(page)).toEqual([])
    for (const view of ['exchanges', 'playground', 'conversations/main', 'replay/x']) {
      await page.goto(`${scene.address}#/${view}`)
      await page.getByRole('heading', { name: 'Your key: alice' }).waitFor()
    }
    expect(await page.locator('body').innerText()).not.toMatch(/swordfish|bob/)
    // The refused key, as the browser tells it.
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
    await page.context().clearCookies()
    await page.close()
  },
)
