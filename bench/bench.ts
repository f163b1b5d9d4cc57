import { parseArgs } from 'node:util'
import { benchPrepare } from './prepare.ts'
import { benchReader } from './reader.ts'

/** npm run bench [-- --dialect NAME …]: every figure beside its target; exit 1 when one is missed. */
const { values } = parseArgs({ options: { dialect: { type: 'string', multiple: true, default: [] } } })

process.exitCode = [benchReader(values.dialect), benchPrepare(values.dialect)].every(Boolean) ? 0 : 1
