import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { install } from '../../test/agents/install.ts'

/** What we are compared with, brought into a cache folder; never a dependency. */
const versions = {
  '@ai-sdk-tool/parser': '4.1.26',
  'partial-json': '0.1.7',
  'best-effort-json-parser': '1.5.1',
  jsonrepair: '3.15.0',
}

export const folder = install(
  'libraries',
  Object.entries(versions).map(([name, version]) => `${name}@${version}`),
)
const require = createRequire(join(folder, 'index.js'))

export const peerNames = Object.keys(versions)

export function versionOf(name: string): string {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

async function load<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(require.resolve(name)).href)) as T
}

interface Part {
  readonly type: string
  readonly [field: string]: unknown
}

/** A middleware of `@ai-sdk-tool/parser`, as far as it is used here. */
interface Middleware {
  transformParams(options: object): Promise<object>
  wrapStream(options: object): Promise<{ readonly stream: ReadableStream<Part> }>
}

const parser = await load<Readonly<Record<string, Middleware>>>('@ai-sdk-tool/parser')
const community = await load<Readonly<Record<string, Middleware>>>('@ai-sdk-tool/parser/community')

/** Every middleware it comes with. */
export const middlewares: ReadonlyMap<string, Middleware> = new Map(
  Object.entries({ ...parser, ...community }).filter(([name]) => /^(?!create).*ToolMiddleware$/.test(name)),
)

/** What one of them makes of a text that comes in pieces. */
export async function readWith(middleware: Middleware, pieces: readonly string[], tools: readonly object[]) {
  const asked = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }], tools }
  const model = { specificationVersion: 'v3', provider: 'bench', modelId: 'bench' }
  const params = await middleware.transformParams({ type: 'stream', params: asked, model })
  const parts: Part[] = [
    { type: 'text-start', id: '0' },
    ...pieces.map((delta) => ({ type: 'text-delta', id: '0', delta })),
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} },
  ]
  const doStream = async () => ({ stream: ReadableStream.from(parts) })
  const { stream } = await middleware.wrapStream({ doStream, params, model })
  const calls: unknown[] = []
  let deltas = 0
  for await (const part of stream) {
    if (part.type === 'tool-input-delta') deltas += 1
    if (part.type === 'tool-call') calls.push({ name: part['toolName'], arguments: parsed(String(part['input'])) })
  }
  return { calls, deltas }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

type Parse = (text: string) => unknown

const partial = await load<{ readonly parse: Parse }>('partial-json')
const bestEffort = await load<{ readonly parse: Parse }>('best-effort-json-parser')
const repair = await load<{ readonly jsonrepair: (text: string) => string }>('jsonrepair')

/** Readers of JSON that is not whole, or not right. */
export const jsonParsers: ReadonlyMap<string, Parse> = new Map<string, Parse>([
  ['partial-json', partial.parse],
  ['best-effort-json-parser', bestEffort.parse],
  ['jsonrepair', (text) => JSON.parse(repair.jsonrepair(text))],
])
