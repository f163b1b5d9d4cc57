import { parseArgs } from 'node:util'
import { benchDoors } from './doors.ts'
import { benchPrepare } from './prepare.ts'
import { benchReader } from './reader.ts'
import { benchSweep } from './sweep.ts'

/**
 * npm run bench [-- --dialect NAME …] [--sweep] [--json FILE]: every figure beside its target; exit 1 when one is missed.
 * `--sweep` leaves all but the sweep out, `--json` keeps what it measured.
 */
const { values } = parseArgs({
  options: {
    dialect: { type: 'string', multiple: true, default: [] },
    sweep: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})

const isMet = [
  ...(values.sweep ? [] : [benchReader(values.dialect), benchPrepare(values.dialect), await benchDoors()]),
  await benchSweep(values.dialect, values.json),
]
process.exitCode = isMet.every(Boolean) ? 0 : 1
