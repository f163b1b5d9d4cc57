import { parseArgs } from 'node:util'
import { hunt } from './hunt.ts'
import { targets } from './targets.ts'
import { startWatchdog } from './watchdog.ts'

/** `npm run fuzz -- --runs 1000000 --only reader`: prints what broke, as small as it could be made, and exits with 1. */

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
})
const runs = Number(values.runs ?? 20_000)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)

const watchdog = startWatchdog()

for (const target of targets) {
  if (values.only !== undefined && !values.only.split(',').includes(target.name)) continue
  const begun = performance.now()
  const found = await hunt(target, runs, seed, watchdog.at)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  if (found === undefined)
    process.stdout.write(`${target.name}: ${runs} inputs from seed ${seed}, ${seconds} s: sound\n`)
  else {
    process.exitCode = 1
    const { input, error } = found
    process.stdout.write(`${target.name}: seed ${found.seed} breaks it:\n${JSON.stringify(input)}\n${error}\n\n`)
  }
}
