import { rollUnderStreams } from './rolling.ts'
import { startWorkers } from './stage.ts'

/** `npx node test/workers/run.ts [RESTARTS] [STREAMS]`: prints how many streams were whole, cut and refused. */

const [restarts = 20, streams = 50] = process.argv.slice(2).map(Number)
const gateway = await startWorkers()
const begun = Date.now()
const { whole, cut, refused, workers } = await rollUnderStreams(gateway, { restarts, streams })
await gateway.stop()
const seconds = Math.round((Date.now() - begun) / 1000)
process.stdout.write(
  `${restarts} rolling restarts, ${workers} workers, ${streams} streams at every moment, ${seconds} s: ` +
    `${whole} whole, ${cut} cut, ${refused} refused\n`,
)
process.exitCode = cut + refused === 0 ? 0 : 1
