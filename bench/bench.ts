import { parseArgs } from 'node:util'
import type { Writable } from '../src/protocol/writable.ts'
import { benchDoors } from './doors.ts'
import { benchGateway } from './gateway/gateway.ts'
import { keepFindings } from './gateway/keep.ts'
import { describeMachine } from './gateway/machine.ts'
import { benchMemory } from './gateway/memory.ts'
import { type Found, writePerformance } from './gateway/performance.ts'
import { benchStart } from './gateway/start.ts'
import { benchWorkers } from './gateway/workers.ts'
import { benchKeys } from './keys.ts'
import { benchListings } from './listings.ts'
import { benchPrepare } from './prepare.ts'
import { benchReader } from './reader.ts'
import { benchRolling } from './rolling.ts'
import { benchTraces } from './traces.ts'

/**
 * npm run bench [-- PART …] [--dialect NAME …] [--scenario NAME …] [--json FILE]: every figure beside its target; exit 1 when
 * one is missed. The parts are gateway, memory, start, workers, reader, prepare, listings, doors, traces, keys and rolling;
 * where none is named, all of them, and the gateway with `--quick`. `--tools FILE`, of requests or lists of tools, shows how
 * long they are in each style of listing. `rolling` needs nginx, and both it and `keys` a redis-server.
 * `--json` keeps what was measured, with plots of it beside that file; `--write` writes docs/performance.md of it; `--peers`
 * measures other gateways, too, and installs them into a cache folder first; `--quick` measures the gateway with fewer requests.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dialect: { type: 'string', multiple: true, default: [] },
    scenario: { type: 'string', multiple: true, default: [] },
    tools: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    peers: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})

const isWhole = positionals.length === 0
const found: Writable<Found> = { machine: describeMachine() }
const parts: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  async gateway() {
    const { isMet, findings } = await benchGateway(values.scenario, {
      hasPeers: values.peers,
      isQuick: values.quick || isWhole,
    })
    found.gateway = findings
    return isMet
  },
  async memory() {
    const { isMet, findings } = await benchMemory()
    found.memory = findings
    return isMet
  },
  async start() {
    const { isMet, findings } = await benchStart()
    found.start = findings
    return isMet
  },
  async workers() {
    const { isMet, findings } = await benchWorkers()
    found.workers = findings
    return isMet
  },
  reader: () => benchReader(values.dialect),
  prepare: () => benchPrepare(values.dialect),
  listings: () => benchListings(values.tools),
  doors: benchDoors,
  traces: benchTraces,
  keys: benchKeys,
  rolling: benchRolling,
}

const unknown = positionals.find((name) => parts[name] === undefined)
if (unknown === undefined) {
  const chosen = Object.keys(parts).filter((name) => isWhole || positionals.includes(name))
  for (const [index, name] of chosen.entries()) {
    const minutes = (performance.now() / 60_000).toFixed(1)
    console.log(`\n${name}, part ${index + 1} of ${chosen.length}, after ${minutes} minutes`)
    if (!(await parts[name]?.())) process.exitCode = 1
  }
  if (values.json !== undefined) keepFindings(values.json, found, found.gateway?.rows ?? [])
  if (values.write) writePerformance(found)
} else {
  console.error(`There is no part "${unknown}". The parts are ${Object.keys(parts).join(', ')}.`)
  process.exitCode = 2
}
