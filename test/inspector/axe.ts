import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare const axe: { run(options: object): Promise<AxeResults> }

/** What axe-core finds serious or worse on the page as it is now. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // As the debugger does it: the page's own policy does not let scripts in.
  await page.evaluate(source)
  const results = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }))
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    )
}
