import { describe, expect, test } from 'vitest'
import type { Tool } from '../../src/protocol/tool.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'
import type { UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { collect, context, createScripted, fold, type Script, says, toRequest, turnsOver } from './scripted.ts'

const book: Tool = {
  kind: 'function',
  name: 'book',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      class: { enum: ['first', 'second'] },
      seats: {
        type: 'array',
        items: { type: 'object', properties: { row: { type: 'integer' } }, required: ['row'] },
      },
    },
    required: ['city'],
  },
}
const note: Tool = { kind: 'custom', name: 'note' }
const finish = { type: 'finish', reason: 'stop' } as const

/** The same call in both ways there are. */
const ways: Readonly<Record<'native' | 'prompt', (name: string, json: string, size: number) => Script>> = {
  prompt: (name, json, size) =>
    says(`Well.\n<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`, size),
  native: (name, json, size) => {
    const pieces: UpstreamEvent[][] = []
    for (let at = 0; at < json.length; at += size) {
      pieces.push([{ type: 'call', index: 0, json: json.slice(at, at + size) }])
    }
    return [[{ type: 'call', index: 0, id: 'c1', name }], ...pieces, [finish]]
  },
}

async function answer(way: keyof typeof ways, scripts: readonly Script[], settings: Partial<ModelSettings> = {}) {
  const upstream = createScripted(scripts)
  const turns = turnsOver(upstream, { dialect: 'hermes', tools: way, ...settings })
  const events = await collect(await turns.start(toRequest('Go.', { tools: [book, note] }), context))
  const violations = events.flatMap((event) =>
    event.type === 'note' && event.kind === 'schema_violation' ? [event.detail] : [],
  )
  return { upstream, violations, ...fold(events) }
}

const broken: readonly (readonly [string, string, string])[] = [
  ['a required argument is missing', '{"class": "first"}', 'book: city'],
  ['a value is out of the enum', '{"city": "Rome", "class": "third"}', 'book: class'],
  ['a value has a type that cannot be coerced', '{"city": "Rome", "seats": "all"}', 'book: seats'],
  ['it is wrong deep inside', '{"city": "Rome", "seats": [{"row": 1}, {}]}', 'book: seats[1].row'],
]

describe.each(Object.keys(ways) as (keyof typeof ways)[])('a complete call, %s', (way) => {
  const say = ways[way]

  test.each(broken)('where %s is passed on as it was written, and noted with the path', async (_, json, path) => {
    for (const size of [1, 7, 500]) {
      const { calls, violations, finish: reason } = await answer(way, [say('book', json, size)])
      expect(calls.map((call) => JSON.parse(call.arguments))).toEqual([JSON.parse(json)])
      expect(violations).toEqual([path])
      expect(reason).toBe('tool_calls')
    }
  })

  test('that fits is not noted, nor is a custom tool, nor one that was not declared', async () => {
    for (const script of [
      say('book', '{"city": "Rome", "seats": [{"row": 2}]}', 5),
      say('note', '{"input": 3}', 5),
      say('bake', '{"bread": true}', 5),
    ]) {
      expect(await answer(way, [script])).toMatchObject({ violations: [] })
    }
  })

  test('that was cut off is no violation', async () => {
    const [head = [], ...rest] = say('book', '{"class": "first", "city": "Ro', 5)
    const script = [head, ...rest.slice(0, -3), [{ type: 'finish', reason: 'length' } as const]]
    expect(await answer(way, [script])).toMatchObject({ violations: [], finish: 'length' })
  })

  test('that is wrong is asked for again first where that is allowed', async () => {
    const scripts = [say('book', '{}', 9), say('book', '{"city": "Rome"}', 9)]
    const mended = await answer(way, scripts, { repair: 1 })
    expect(mended).toMatchObject({ violations: [], calls: [{ arguments: '{"city": "Rome"}' }] })
    expect(mended.notes).toContain('repaired')
    const stubborn = await answer(way, [say('book', '{}', 9), say('book', '{"class": "first"}', 9)], { repair: 1 })
    expect(stubborn).toMatchObject({ violations: ['book: city'], calls: [{ arguments: '{"class": "first"}' }] })
    expect(stubborn.upstream.asked).toHaveLength(2)
    expect(stubborn.notes).toContain('repair_failed')
  })
})

test('a call that waits until it is whole is looked at, too', async () => {
  const { violations } = await answer('prompt', [ways.prompt('book', '{}', 3)], { arguments: 'whole' })
  expect(violations).toEqual(['book: city'])
})
