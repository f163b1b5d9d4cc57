import type { Dialect } from '../src/dialects/dialect.ts'
import { dialects, findDialect } from '../src/dialects/registry.ts'
import { readRequest } from '../src/doors/openai-chat/request/request.ts'
import { createTurnCache } from '../src/turn/cache.ts'
import { withSearch } from '../src/turn/prompt/offer/offer.ts'
import { prepare } from '../src/turn/prompt/prepare.ts'
import { defaultSettings } from '../src/turn/settings.ts'
import type { Upstream } from '../src/upstreams/upstream.ts'
import { leastOfEach, report } from './measure.ts'

const toolCount = 50
const messageCount = 60
/** The most a request may have, and what is told of them. */
const mostTools = 512
const budget = 8_000
const rounds = 30
const text = 'The quick brown fox jumps over the lazy dog; const total = items.map((item) => item.price < 3)\n'

const upstream: Upstream = {
  name: 'bench',
  kind: 'bench',
  async *chat() {
    yield []
  },
  models: async () => [],
  probe: async () => ({ nativeTools: 'no' }),
  close: async () => undefined,
}

/** Tools as agents send them, about a kilobyte each; another `salt` makes others. */
function toolsOf(salt: string, count = toolCount): readonly object[] {
  return Array.from({ length: count }, (_, n) => ({
    type: 'function',
    function: {
      name: `tool_${n}`,
      description: `${text.repeat(3)} ${salt}`,
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Where to look, as an absolute path' },
          mode: { type: 'string', enum: ['read', 'write', 'append'], default: 'read' },
          limit: { type: 'integer', minimum: 1, maximum: 2000, description: 'How many lines' },
          options: {
            type: 'object',
            properties: { deep: { type: 'boolean' }, tags: { type: 'array', items: { type: 'string' } } },
            required: ['deep'],
          },
        },
        required: ['path'],
        additionalProperties: false,
      },
    },
  }))
}

/** A conversation of an agent at work: two calls, two results, some words, over and over; 2 kB a result. */
const messages: readonly object[] = Array.from({ length: messageCount }, (_, n) => {
  const turn = Math.floor(n / 4)
  if (n === 0) return { role: 'system', content: text.repeat(40) }
  if (n % 4 === 1) return { role: 'user', content: text.repeat(2) }
  if (n % 4 !== 2)
    return { role: 'tool', tool_call_id: `call_${n % 4 === 3 ? turn : turn - 1}_${n % 2}`, content: text.repeat(20) }
  const calls = [1, 0].map((place) => ({
    id: `call_${turn}_${place}`,
    type: 'function',
    function: { name: `tool_${(n + place) % toolCount}`, arguments: JSON.stringify({ path: `/a/${n}`, limit: n }) },
  }))
  return { role: 'assistant', content: 'Let me look.', tool_calls: calls }
})

/** From the parsed body to what goes upstream. */
function prepareBody(body: object, dialect: Dialect, toolsBudget?: number): void {
  const read = readRequest(body).request
  const settings = { ...defaultSettings('bench', ['bench']), toolsBudget }
  const request = withSearch(read, settings, cache)
  const approach = request.tools.length === 0 ? { mode: 'none' as const } : { mode: 'prompt' as const, dialect }
  prepare(request, { ...approach, settings, upstream, cache })
}

/** As a gateway has it for as long as its settings last. */
const cache = createTurnCache()

const toMs = (nanoseconds: number): number => nanoseconds / 1_000_000

/** 50 tools and 60 messages: met again, met for the first time, and against the same request without tools. */
export function benchPrepare(names: readonly string[]): boolean {
  const chosen = names.length === 0 ? dialects : dialects.filter(({ name }) => names.includes(name))
  const hermes = findDialect('hermes') ?? (chosen[0] as Dialect)
  const parse = (tools: readonly object[]) => JSON.parse(JSON.stringify({ model: 'bench', messages, tools })) as object
  const bare = JSON.parse(JSON.stringify({ model: 'bench', messages })) as object
  const repeats = 20
  // The same tools in other objects, as requests bring them.
  const bodies = Array.from({ length: repeats }, () => parse(toolsOf('same')))
  const warm = chosen.map((dialect) => () => {
    for (const body of bodies) prepareBody(body, dialect)
  })
  const without = () => {
    for (let n = 0; n < repeats; n++) prepareBody(bare, hermes)
  }
  for (const run of [...warm, without]) run()
  const times = leastOfEach(rounds, [...warm, without]).map((time) => toMs(time / repeats))
  const base = times.at(-1) ?? 0

  let salt = 0
  const coldTimes = chosen.map((dialect) => {
    const strangers = Array.from({ length: rounds }, () => parse(toolsOf(`${dialect.name} ${salt++}`)))
    const [least = 0] = leastOfEach(rounds, [() => prepareBody(strangers.pop() ?? {}, dialect)])
    return toMs(least)
  })

  const many = Array.from({ length: repeats }, () => parse(toolsOf('many', mostTools)))
  const choosing = () => {
    for (const body of many) prepareBody(body, hermes, budget)
  }
  choosing()
  const [chosenTime = 0] = leastOfEach(3, [choosing]).map((time) => toMs(time / repeats))

  const size = Math.round(JSON.stringify({ messages, tools: toolsOf('same') }).length / 1024)
  console.log(`\npreparing ${toolCount} tools and ${messageCount} messages (${size} kB), CPU ms a request`)
  console.log(`${'dialect'.padEnd(24)}    warm    cold   added by tools, warm`)
  for (const [place, { name }] of chosen.entries()) {
    const [now = 0, first = 0] = [times[place], coldTimes[place]]
    console.log(
      `${name.padEnd(24)}${now.toFixed(3).padStart(8)}${first.toFixed(2).padStart(8)}${(now - base).toFixed(3).padStart(10)}`,
    )
  }
  console.log(`${'(without tools)'.padEnd(24)}${base.toFixed(3).padStart(8)}\n`)
  return [
    report('slowest dialect, tools met before', Math.max(...times.slice(0, -1)), 1, 'ms'),
    report('slowest dialect, tools never met', Math.max(...coldTimes), 5, 'ms'),
    report(`${mostTools} tools, of which ${budget} tokens are told, met before`, chosenTime, 20, 'ms'),
  ].every(Boolean)
}
