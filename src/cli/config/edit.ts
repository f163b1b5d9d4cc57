import { writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Document, parseDocument } from 'yaml'
import type { Config } from '../../config/load.ts'
import { backUp, printChange } from '../edit/change.ts'
import { mergeSettings } from '../edit/settings.ts'
import { schemaComment } from '../package.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** One thing a config file is to say. */
export interface Entry {
  readonly path: readonly string[]
  readonly value: unknown
  /** What the file says there already stays. */
  readonly ifMissing?: boolean
}

/** How a model is to be served, as entries: its server and itself are added where the file does not have them. */
export function entriesFor(
  { shown, settings }: Config,
  service: string,
  model: string,
  values: Readonly<Record<string, unknown>>,
): readonly Entry[] {
  const upstream = shown.upstreams[service]
  const named = settings.models.find(
    (one) => (one.model === model || one.name === model) && one.upstreams.includes(service),
  )
  const name = named?.name ?? model
  return [
    ...(upstream === undefined ? [] : [{ path: ['upstreams', service], value: toFile(upstream), ifMissing: true }]),
    { path: ['models', name], value: { upstream: service }, ifMissing: true },
    ...Object.entries(values).map(([key, value]) => ({ path: ['models', name, key], value })),
  ]
}

/** Puts entries into a config file: what else stands in it stays, comments too, the old file is kept, and the change is shown. */
export function editConfig(path: string, entries: readonly Entry[], terminal: Terminal): void {
  const full = resolve(terminal.surroundings.workingDirectory, path)
  const before = terminal.surroundings.readFile(full)
  const after = before !== undefined && /\.json$/i.test(full) ? intoJson(before, entries) : intoYaml(before, entries)
  if (after === before) {
    terminal.complain(`\n${path} says so already. Nothing was changed.\n`)
    return
  }
  const kept = before === undefined ? '' : ` The old file is ${join(dirname(path), basename(backUp(full, before)))}.`
  writeFileSync(full, after)
  terminal.complain(`\nWrote ${path}.${kept}\n${printChange(before ?? '', after).join('\n')}\n`)
}

function intoYaml(before: string | undefined, entries: readonly Entry[]): string {
  const document = parseDocument(before ?? '')
  for (const { path, value, ifMissing = false } of entries) {
    if (ifMissing && (document.getIn(path) ?? null) !== null) continue
    document.setIn(path, toNode(document, value, ifMissing))
  }
  const text = document.toString({ lineWidth: 0 })
  return before === undefined ? `${schemaComment()}\n${text}` : text
}

/** New sections are written out, new values of a section stand on its line. */
function toNode(document: Document, value: unknown, isSection: boolean): unknown {
  return typeof value === 'object' ? document.createNode(value, { flow: !isSection }) : value
}

function intoJson(before: string, entries: readonly Entry[]): string {
  const known = parseDocument(before)
  return entries
    .filter(({ path, ifMissing = false }) => !(ifMissing && known.hasIn(path)))
    .reduce((text, { path, value }) => mergeSettings({ format: 'json', value: nest(path, value) }, text), before)
}

function nest(path: readonly string[], value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path
  return { [first]: rest.length === 0 ? value : nest(rest, value) }
}

/** As the file says it. A key that stood somewhere in the clear is not copied. */
function toFile(upstream: Config['shown']['upstreams'][string]): object {
  const entries = Object.entries(upstream).filter(([, value]) => !(Array.isArray(value) && value.length === 0))
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'key' && value === '***' ? 'env:DRAGOMAN_UPSTREAM_KEY' : value]),
  )
}
