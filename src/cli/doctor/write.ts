import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseDocument } from 'yaml'
import type { Config } from '../../config/load.ts'
import type { Examination } from '../../doctor/finding.ts'
import { printChange } from '../connect/change.ts'
import { schemaComment } from '../schema-file.ts'
import type { Terminal } from '../terminal.ts'

/** Puts what was found into a config file: what else stands in it stays, and the old file is kept. */
export function writeFindings(
  path: string,
  { shown, settings }: Config,
  examinations: readonly Examination[],
  terminal: Terminal,
): void {
  const full = resolve(terminal.surroundings.workingDirectory, path)
  const before = terminal.surroundings.readFile(full)
  const document = parseDocument(before ?? '')
  for (const { service, model, advice } of examinations) {
    const upstream = shown.upstreams[service]
    if (upstream === undefined || model === undefined || advice === undefined) continue
    if (!document.hasIn(['upstreams', service])) {
      document.setIn(['upstreams', service], document.createNode(toFile(upstream)))
    }
    const named = settings.models.find((one) => one.model === model && one.upstreams.includes(service))
    const name = named?.name ?? model
    const isNew = !document.hasIn(['models', name])
    if (isNew) document.setIn(['models', name], document.createNode({ upstream: service }))
    for (const [key, value] of Object.entries(advice)) {
      document.setIn(
        ['models', name, key],
        typeof value === 'object' ? document.createNode(value, { flow: true }) : value,
      )
    }
  }
  const text = document.toString({ lineWidth: 0 })
  const after = before === undefined ? `${schemaComment()}\n${text}` : text
  if (existsSync(full)) renameSync(full, `${full}.bak`)
  writeFileSync(full, after)
  const kept = before === undefined ? '' : ` The old file is ${path}.bak.`
  terminal.complain(`\nWrote ${path}.${kept}\n${printChange(before ?? '', after).join('\n')}\n`)
}

/** As the file says it. A key that stood somewhere in the clear is not copied. */
function toFile(upstream: Config['shown']['upstreams'][string]): object {
  const entries = Object.entries(upstream).filter(([, value]) => !(Array.isArray(value) && value.length === 0))
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'key' && value === '***' ? 'env:DRAGOMAN_UPSTREAM_KEY' : value]),
  )
}
