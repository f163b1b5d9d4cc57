import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDeeperThan, type JsonObject, parseJson } from '../../../protocol/json.ts'
import { type BodyParts, createBodyParts } from './parts.ts'

const long = 'The quick brown fox jumps over the lazy dog. '.repeat(4)
const message = (n: number) => ({ role: 'user', content: `${n}: ${long}` })
const read = (parts: BodyParts, text: string) => parts.read(Buffer.from(text), 'messages')
const itemsOf = (body: JsonObject | undefined) => (body?.['messages'] ?? []) as readonly JsonObject[]
const depthOf = (value: unknown): number => {
  let levels = 0
  while (isDeeperThan(value, levels)) levels += 1
  return levels
}

/** JSON in the spelling of some client or other: with white space, and escapes where none are needed. */
const spelt = fc
  .tuple(
    fc.record(
      {
        model: fc.constantFrom('m', 'größe', long),
        messages: fc.oneof(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }), fc.jsonValue()),
        tools: fc.jsonValue({ maxDepth: 3 }),
        'odd "name" \\ ü': fc.jsonValue(),
        __proto__: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    fc.constantFrom(undefined, 1, '\t', ' \r\n'),
    fc.boolean(),
  )
  .map(([value, space, isEscaped]) => {
    const text = JSON.stringify(value, null, space)
    return isEscaped
      ? text.replaceAll(/[^\x20-\x7e\s]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : text
  })

test('what is read by parts is what the parser reads, the second time as well', () => {
  const parts = createBodyParts()
  let count = 0
  fc.assert(
    fc.property(spelt, (text) => {
      for (const _ of [1, 2]) {
        const found = read(parts, text)
        if (found === undefined) continue
        count += 1
        expect(JSON.stringify(found.body)).toBe(JSON.stringify(parseJson(text)))
        expect(found.depth).toBe(depthOf(found.body))
      }
    }),
    { numRuns: 1000 },
  )
  expect(count).toBeGreaterThan(150)
})

test('what is no JSON is not read, whatever is known of it', () => {
  const parts = createBodyParts()
  const sound = JSON.stringify({
    messages: [message(1), { role: 'a', content: 'b\\"c' }, message(2)],
    n: [1, [2]],
    tools: [message(3)],
  })
  read(parts, sound)
  fc.assert(
    fc.property(
      fc.nat(sound.length),
      fc.nat(3),
      fc.constantFrom('', '"', '\\', ',', ':', '{', '}', '[', ']', '0', ' ', 'x', '\u0000', 'é'),
      (at, cut, put) => {
        const text = sound.slice(0, at) + put + sound.slice(at + cut)
        const found = read(parts, text)
        if (found !== undefined) expect(JSON.stringify(found.body)).toBe(JSON.stringify(parseJson(text)))
      },
    ),
    { numRuns: 3000 },
  )
})

test('what is no UTF-8 is not read', () => {
  const bytes = Buffer.from(JSON.stringify({ messages: [message(1)] }))
  bytes[60] = 0xff
  expect(createBodyParts().read(bytes, 'messages')).toBe(undefined)
})

test('the same message is the same object, in any conversation', () => {
  const parts = createBodyParts()
  const [tools, other] = [[message(9)], [message(8)]]
  const first = read(parts, JSON.stringify({ messages: [message(1), message(2)], tools }))?.body
  const second = read(parts, JSON.stringify({ messages: [message(1), message(2), message(3)], tools }))?.body
  const third = read(parts, JSON.stringify({ tools: other, messages: [message(3), message(2), message(1)] }))?.body
  const [one, two] = itemsOf(first)
  const [, , three] = itemsOf(second)
  expect(second?.['messages']).toEqual([message(1), message(2), message(3)])
  expect(itemsOf(second)[1]).toBe(two)
  expect(second?.['tools']).toBe(first?.['tools'])
  expect(itemsOf(third)[0]).toBe(three)
  expect(itemsOf(third)[2]).toBe(one)
  expect(third?.['tools']).toEqual(other)
})

test('nobody can change what others get', () => {
  const body = read(
    createBodyParts(),
    JSON.stringify({ messages: [{ role: 'user', content: [{ type: 'text', text: long }] }] }),
  )
  const [first] = itemsOf(body?.body) as unknown as readonly { content: { text: string }[] }[]
  expect(() => {
    for (const part of first?.content ?? []) part.text = 'forged'
  }).toThrow(TypeError)
})

test('what was not asked for in a while is forgotten, and the rest is not', () => {
  const parts = createBodyParts(20_000)
  const say = (...numbers: readonly number[]) =>
    itemsOf(read(parts, JSON.stringify({ messages: numbers.map(message) }))?.body)
  const [rare] = say(0)
  const [often] = say(1)
  for (let n = 2; n < 400; n++) expect(say(1, n)[0]).toBe(often)
  expect(say(0)[0]).not.toBe(rare)
  expect(say(0)[0]).toEqual(rare)
})

test.each([
  ['two fields of one name', '{"messages":[],"messages":[{}]}'],
  ['an item that is no object, list or text', '{"messages":[1]}'],
  ['a name with an escape', '{"mess\\u0061ges":[]}'],
  ['a list', '[]'],
  ['nothing', ''],
])('%s is left to the parser', (_, text) => {
  expect(read(createBodyParts(), text)).toBe(undefined)
})
