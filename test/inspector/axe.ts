import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare const axe: { run(options: object): Promise<AxeResults> }

/** What axe-core finds serious or worse on the page as it is now, in light and in dark. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // As the debugger does it: the page's own policy does not let scripts in.
  await page.evaluate(source)
  const light = await run(page, {})
  await page.emulateMedia({ colorScheme: 'dark' })
  // Only colours differ.
  const dark = await run(page, { runOnly: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((finding) => `dark: ${finding}`)]
}

async function run(page: Page, options: object): Promise<readonly string[]> {
  const results = await page.evaluate((more) => axe.run({ resultTypes: ['violations'], ...more }), options)
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    )
}
