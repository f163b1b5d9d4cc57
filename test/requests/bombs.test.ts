import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { openaiChat } from '../../src/doors/openai-chat/door.ts'
import { put, readAt } from '../doors/visit.ts'
import { context, createScripted, says, turnsOver } from '../turn/scripted.ts'

const path = '/v1/chat/completions'

type Schema = Record<string, unknown>

const nested = (levels: number): Schema =>
  levels === 0 ? {} : { type: 'object', properties: { a: nested(levels - 1) } }
const many = (count: number, of: (n: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, of(n)]))

/** Schemas that grow without end, or nearly, when they are followed. */
const bombs: Readonly<Record<string, Schema>> = {
  'a billion laughs': {
    type: 'object',
    properties: { a: { $ref: '#/$defs/p0' } },
    $defs: many(30, (n) => ({ anyOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/p${n + 1}` })) })),
  },
  'itself in forty places': { type: 'object', properties: many(40, () => ({ $ref: '#' })), required: ['p0', 'p1'] },
  'a circle of references': { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
  'alternatives of alternatives': {
    type: 'object',
    allOf: Array.from({ length: 20 }, () => ({
      anyOf: Array.from({ length: 20 }, (_, n) => ({ properties: { [`x${n}`]: { type: 'string' } } })),
    })),
  },
  'a pattern that never ends': {
    type: 'object',
    properties: { a: { type: 'string', pattern: '^(a+)+$' } },
    patternProperties: { '^(a+)+$': {} },
  },
  'four thousand properties': { type: 'object', properties: many(4_000, () => ({ type: 'string' })) },
  'ten thousand values': {
    type: 'object',
    properties: { a: { enum: Array.from({ length: 10_000 }, (_, n) => `v${n}`) } },
  },
  'sixty levels': nested(60),
}

const styles = new Map(dialects.map((dialect) => [dialect.teaching.tools.style, dialect.name]))

const offering = (name: string, parameters: Schema) => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Hi.' }],
  tools: [{ type: 'function', function: { name, parameters } }],
})

/** The least CPU time of a few tries, in milliseconds: a collection may hit any one of them. Every try brings other tools. */
async function leastOf(tries: number, dialect: string, parameters: Schema): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < tries; n++) {
    const body = structuredClone(offering(`read_${n}`, parameters))
    const start = process.cpuUsage()
    await put(openaiChat, path, body, { tools: 'prompt', dialect })
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

describe.each(Object.entries(bombs))('%s as a schema', (_, parameters) => {
  test.each([...styles])('costs no more than 50 ms to teach as %s', async (_style, dialect) => {
    expect(await leastOf(3, dialect, parameters)).toBeLessThan(50)
  })
})

test('a hundred tools a second time cost next to nothing', async () => {
  const tools = Array.from({ length: 100 }, (_, n) => ({
    type: 'function',
    function: {
      name: `tool_${n}`,
      description: 'x'.repeat(300),
      parameters: { type: 'object', properties: many(8, () => ({ type: 'string', description: 'y'.repeat(60) })) },
    },
  }))
  const body = () => structuredClone({ model: 'm', messages: [{ role: 'user', content: 'Hi.' }], tools })
  const times = 20
  const upstream = createScripted(Array.from({ length: 2 * times }, () => says('Hello.')))
  const turns = turnsOver(upstream, { tools: 'prompt', dialect: 'roo-xml' })
  async function ask(one: object): Promise<void> {
    const { requests } = await readAt(openaiChat, path, one)
    for (const request of requests) {
      const turn = await turns.start({ ...request, model: 'model' }, context)
      for await (const batch of turn.events) expect(batch).not.toEqual([])
    }
  }
  for (let n = 0; n < times; n++) await ask(body())
  const bodies = Array.from({ length: times }, body)
  const start = process.cpuUsage()
  for (const one of bodies) await ask(one)
  const { user } = process.cpuUsage(start)
  expect(user / 1000 / bodies.length).toBeLessThan(5)
})
