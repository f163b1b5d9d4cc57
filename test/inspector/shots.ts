import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Browser, startBrowser } from './browser.ts'
import { buildPage, serveFolder } from './built.ts'
import { fill, openScene, repaired, type Scene, saidOnCue, script } from './scene.ts'

/** `npx node test/inspector/shots.ts FOLDER`: every view and state of the inspector, light and dark, wide and narrow, to be looked at. */

const folder = process.argv[2]
if (folder === undefined) throw new Error('Where to? npx node test/inspector/shots.ts FOLDER')
mkdirSync(folder, { recursive: true })

const never = new Promise<void>(() => undefined)

interface Shot {
  readonly name: string
  readonly scene: Scene
  readonly path?: string
  readonly act?: (page: Page) => Promise<unknown>
}

async function openFirst(page: Page, query: string): Promise<void> {
  const filter = page.getByLabel('Filter the exchanges')
  await filter.fill(query)
  await page.locator('.row:not(.head):not(.group)').first().click()
  await page.locator('.facts').waitFor()
  if ((await filter.count()) > 0) await filter.fill('')
}

function shotsOf(full: Scene, empty: Scene, off: Scene, gone: Scene): readonly Shot[] {
  return [
    { name: 'list', scene: full, act: (page) => page.locator('.row').nth(4).waitFor() },
    { name: 'repaired', scene: full, act: (page) => openFirst(page, 'note:json_repaired') },
    {
      name: 'call-lit',
      scene: full,
      act: async (page) => {
        await openFirst(page, 'note:json_repaired')
        if ((page.viewportSize()?.width ?? 0) > 900) await page.locator('.got-call').first().hover()
      },
    },
    { name: 'forged', scene: full, act: (page) => openFirst(page, 'note:echo') },
    { name: 'failed', scene: full, act: (page) => openFirst(page, 'state:failed') },
    {
      name: 'conversation',
      scene: full,
      act: async (page) => {
        await page.getByRole('link', { name: '2 turns' }).first().click()
        await page.getByRole('heading', { name: 'Turn 2' }).waitFor()
      },
    },
    {
      name: 'prompts',
      scene: full,
      act: async (page) => {
        await page.getByRole('link', { name: '2 turns' }).first().click()
        await page.getByRole('button', { name: 'Prompts' }).click()
        await page.getByText(/Shares its first|Differs from the turn before/).waitFor()
      },
    },
    {
      name: 'replay',
      scene: full,
      act: async (page) => {
        await openFirst(page, 'note:json_repaired')
        await page.getByRole('link', { name: 'Ask again' }).click()
        await page.getByLabel('Dialect').selectOption('qwen3-coder')
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByRole('region', { name: 'Asked again' }).getByText('createReader').first().waitFor()
      },
    },
    {
      name: 'cleared',
      scene: full,
      act: async (page) => {
        await page.locator('.row').nth(4).waitFor()
        await page.getByRole('button', { name: 'Clear' }).click()
      },
    },
    {
      name: 'playground',
      scene: full,
      path: '#/playground',
      act: async (page) => {
        await page.getByLabel('Message 1', { exact: true }).fill('Speak slowly')
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByText('still speaking').waitFor()
        await page.waitForTimeout(400)
      },
    },
    {
      name: 'reader',
      scene: full,
      path: '#/reader',
      act: (page) => page.getByRole('slider').fill('40'),
    },
    { name: 'overview', scene: full, path: '#/overview', act: (page) => page.locator('canvas').nth(2).waitFor() },
    { name: 'help', scene: full, act: (page) => page.keyboard.press('?') },
    { name: 'empty', scene: empty, act: (page) => page.locator('.command').waitFor() },
    { name: 'off', scene: off, act: (page) => page.getByRole('heading').waitFor() },
    { name: 'forgotten', scene: full, path: '#/exchanges/gone', act: (page) => page.locator('.empty').waitFor() },
    {
      name: 'lost',
      scene: gone,
      act: async (page) => {
        await page.locator('.row').first().waitFor()
        await gone.close()
        await page.getByRole('alert').waitFor()
      },
    },
  ]
}

async function shoot(browser: Browser, scheme: 'light' | 'dark', width: number): Promise<void> {
  const full = await openScene({
    script: (question, asked, signal) =>
      question.includes('slowly') ? saidOnCue(repaired, never, signal) : script(question, asked, signal),
  })
  const [empty, off, gone] = await Promise.all([
    openScene(),
    openScene({ traces: { store: 'off' } }),
    openScene({ script }),
  ])
  await fill(full)
  await fill(gone)
  for (const { name, scene, path = '', act } of shotsOf(full, empty, off, gone)) {
    const { page, problems } = await browser.open(scene.address + path, {
      scheme,
      width,
      height: width > 900 ? 900 : 844,
    })
    await act?.(page)
    await page.waitForTimeout(150)
    await page.screenshot({ path: join(folder ?? '', `${name}-${width}-${scheme}.png`) })
    if (problems.length > 0 && name !== 'lost' && name !== 'forgotten') console.log(name, problems)
    await page.close()
  }
  for (const scene of [full, empty, off]) await scene.close()
  await shootAlone(browser, scheme, width)
}

/** The pages that need no gateway. */
async function shootAlone(browser: Browser, scheme: 'light' | 'dark', width: number): Promise<void> {
  const site = await serveFolder(await buildPage('site'))
  const { page } = await browser.open(`${site.address}playground.html`, { scheme, width, height: 900 })
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('#pane-said').getByText("I'll").first().waitFor()
  await page.waitForTimeout(1200)
  await page.screenshot({ path: join(folder ?? '', `alone-${width}-${scheme}.png`) })
  await page.close()
  site.close()
}

const browser = await startBrowser()
for (const scheme of ['light', 'dark'] as const)
  for (const width of [1440, 1024, 390]) await shoot(browser, scheme, width)
await browser.close()
console.log(`Written to ${folder}`)
