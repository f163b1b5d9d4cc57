import { startBrowser } from './browser.ts'
import { openScene } from './scene.ts'
import { record, scrollThrough } from './scroll-through.ts'

/**
 * `npx node test/inspector/scroll.ts`: ten thousand exchanges in the list, scrolled as by a wheel and as by a drag of the scrollbar. Prints how
 * long frames took, and what a frame costs the page's thread in CPU time, which a busy machine does not change. Exit 1 where
 * more than one frame in a hundred took longer than 32 ms.
 */
const ways = [
  ['a wheel, 3 rows a frame', 240, 100],
  ['a fling, 15 rows a frame', 240, 480],
  ['the scrollbar, from end to end', 240, 0],
] as const
const smoothMs = 32

const scene = await openScene()
record(scene, 10_000)
const browser = await startBrowser()
const { page } = await browser.open(scene.address)
await page.locator('.row').nth(5).waitFor()
await page.locator('[role=treegrid][aria-rowcount="10001"]').waitFor({ timeout: 30_000 })
const session = await page.context().newCDPSession(page)
await session.send('Performance.enable', { timeDomain: 'threadTicks' })

async function busyMs(): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

let isSmooth = true
for (const [name, frames, distance] of ways) {
  const before = await busyMs()
  const times = await page.evaluate<number[]>(scrollThrough(frames, distance))
  const cost = ((await busyMs()) - before) / frames
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
  const late = times.filter((ms) => ms > smoothMs).length
  isSmooth &&= late * 100 <= frames
  console.log(
    `${name}: ${frames} frames, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms, ${late} over ${smoothMs} ms; ${cost.toFixed(2)} ms of CPU a frame`,
  )
}
await browser.close()
await scene.close()
process.exitCode = isSmooth ? 0 : 1
