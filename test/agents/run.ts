import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { agents } from './agents.ts'
import {
  agentColumns,
  compareReads,
  everyColumn,
  mostOfSequential,
  printMatrix,
  type Row,
  runAgents,
  runSdks,
} from './matrix.ts'
import { measureOverhead } from './overhead.ts'
import { isDone, readDone, toLine } from './resume.ts'
import { checkVersions } from './versions.ts'
import { native, startWorld } from './world.ts'

/**
 * Every agent against the real gateway. `--short`: each once a mode. `--only NAME` (may be repeated): those whose name
 * begins so. `--resume`: what `reports/agents.jsonl` has from a run before is not done again.
 * `--versions` runs nothing: it compares the versions in docs/clients.md with the registry.
 */
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    versions: { type: 'boolean', default: false },
  },
})

if (values.versions) process.exit(checkVersions())

const results = 'reports/agents.jsonl'
mkdirSync('reports', { recursive: true })
const earlier = values.resume && existsSync(results) ? readDone(readFileSync(results, 'utf8')) : []
writeFileSync(results, earlier.map(toLine).join(''))

const wanted = (name: string) => !isDone(earlier, name) && isNamed(name)
const isNamed = (name: string) =>
  values.only.length === 0 || values.only.some((start) => name.toLowerCase().startsWith(start.toLowerCase()))
const short = [native, 'hermes']
const tell = (row: Row) => {
  const { name, cells, missing } = row
  appendFileSync(results, toLine(row))
  if (missing !== undefined) return console.error(`warning: ${name}: not tried. ${missing}`)
  const fine = [...cells.values()].filter(({ faults }) => faults.length === 0).length
  console.error(`${name}: ${fine} of ${cells.size}`)
}

const mostOverheadMs = 200

const startedMs = performance.now()
const world = await startWorld()
try {
  const rows = [
    ...earlier,
    ...(await runSdks(world, values.short ? short : everyColumn, wanted, tell)),
    ...(await runAgents(world, values.short ? short : agentColumns, values.short ? ['hermes'] : short, wanted, tell)),
  ]
  console.log(`\n${printMatrix(rows, [...agentColumns, 'own', 'abort native', 'abort hermes', 'abort own'])}\n`)
  let fine = rows.every(({ cells }) => [...cells.values()].every(({ faults }) => faults.length === 0))

  const timed = agents.filter(
    ({ name }) => isNamed(name) && (values.short ? ['pi'] : ['pi', 'OpenCode', 'Cline 3']).includes(name),
  )
  for (const agent of timed) {
    for (const column of short) {
      const { name, togetherMs, oneByOneMs } = await compareReads(world, agent, column)
      const share = togetherMs / oneByOneMs
      if (share > mostOfSequential) fine = false
      console.log(
        `three reads, ${name}: together ${togetherMs.toFixed(0)} ms, one by one ${oneByOneMs.toFixed(0)} ms, ${(share * 100).toFixed(0)} %`,
      )
    }
  }
  for (const column of short) {
    const { plainMs, toolsMs } = await measureOverhead(world, column)
    if (toolsMs - plainMs > mostOverheadMs) fine = false
    console.log(`25 tools, ${column}: ${toolsMs.toFixed(1)} ms an answer, ${plainMs.toFixed(1)} ms without tools`)
  }
  console.log(`longest conversation: ${world.model.longest} answers`)
  const { asked, refused } = world.recorder.count()
  console.log(`requests: ${asked}, refused: ${refused}; ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
  process.exitCode = fine ? 0 : 1
} finally {
  await world.stop()
}
