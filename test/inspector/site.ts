import { strict as assert } from 'node:assert'
import { existsSync } from 'node:fs'
import { startBrowser } from './browser.ts'
import { serveFolder } from './built.ts'

/**
 * `npx node test/inspector/site.ts`, after `npx node scripts/site/build.ts` with `SITE_BASE=/docs/`: opens the built site in a browser, plays in the playground and
 * drags the reader's slider. `npm test` tries the same two pages without the site around them (`alone.test.ts`).
 */
const folder = 'site/.vitepress/dist'
if (!existsSync(folder))
  throw new Error('There is no site yet. Build it with SITE_BASE=/docs/: npx node scripts/site/build.ts')

const site = await serveFolder(folder, "default-src 'self' 'unsafe-inline' data:")
const browser = await startBrowser()
const { page, problems, hosts } = await browser.open(site.address)

await page.getByRole('link', { name: 'Try it' }).first().click()
await page.getByRole('button', { name: 'Send' }).click()
await page.locator('#pane-said').getByText("I'll").first().waitFor()
assert(await page.getByRole('button', { name: 'Stop' }).isVisible(), 'the answer did not stream')
await page.locator('#pane-got').getByText('get_weather').first().waitFor()
await page.getByRole('button', { name: 'Send' }).waitFor()
console.log('the playground streamed a call')

await page.getByRole('link', { name: 'Reader' }).click()
const slider = page.getByRole('slider')
await slider.fill('20')
assert((await page.locator('.run.held').count()) === 1, 'nothing is held back in the middle of a call')
await slider.press('End')
await page.getByText('finish reason').first().waitFor()
console.log("the reader's slider works")

assert.deepEqual(problems, [], 'errors in the console')
assert.deepEqual([...hosts], [new URL(site.address).host], 'another host was asked')
console.log('no error in the console, no request to another host')
await browser.close()
site.close()
