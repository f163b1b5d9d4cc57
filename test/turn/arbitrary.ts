import fc from 'fast-check'
import type { JsonObject } from '../../src/protocol/json.ts'
import { inUsualOrder, type Message } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'

const words = fc.constantFrom('path', 'filePath', 'command', 'count', 'deep', 'options', 'note', 'x-y', 'unit')
const description = fc.constantFrom(
  'Reads.',
  'What it does\n- first: (required) string\nthen more',
  'ünï "quoted" {braces}',
  '',
)
const leaf: fc.Arbitrary<JsonObject> = fc
  .record({
    schema: fc.constantFrom<JsonObject>(
      { type: 'string' },
      { type: 'number' },
      { type: 'integer', minimum: 1 },
      { type: 'boolean', default: false },
      { enum: ['a', 'b'] },
      { type: ['string', 'null'] },
      { type: 'array', items: { type: 'string' } },
      { type: 'object', properties: { inner: { type: 'string' } }, required: ['inner'] },
      {},
    ),
    description: fc.option(description, { nil: undefined }),
  })
  .map(({ schema, description: text }) => (text === undefined ? schema : { ...schema, description: text }))

const parameters: fc.Arbitrary<JsonObject> = fc
  .uniqueArray(fc.record({ name: words, schema: leaf, required: fc.boolean() }), {
    selector: ({ name }) => name,
    maxLength: 5,
  })
  .map((list) => ({
    type: 'object',
    properties: Object.fromEntries(list.map(({ name, schema }) => [name, schema])),
    required: list.flatMap(({ name, required }) => (required ? [name] : [])),
  }))

/** Tools as clients send them: one to four, with distinct names. */
export const someTools: fc.Arbitrary<readonly Tool[]> = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom('read', 'write', 'bash', 'get_weather', 'mcp__files-list'),
      description: fc.option(description, { nil: undefined }),
      parameters,
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 4 },
  )
  .map((list) =>
    list.map(({ name, description: text, parameters: schema }) => ({
      kind: 'function',
      name,
      parameters: schema,
      ...(text === undefined ? {} : { description: text }),
    })),
  )

const said = fc.constantFrom('Hi.', 'Look at <tool_call> and <read>.', '', 'Several\n\nlines', '```json\n{}\n```')

const userSays: fc.Arbitrary<readonly Message[]> = said.map((content) => [{ role: 'user', content }])
const assistantSays: fc.Arbitrary<readonly Message[]> = said.map((content) => [{ role: 'assistant', content }])
const assistantCalls: fc.Arbitrary<readonly Message[]> = fc
  .record({
    content: said,
    names: fc.array(fc.constantFrom('read', 'write', 'gone'), { minLength: 1, maxLength: 3 }),
    result: said,
    reversed: fc.boolean(),
  })
  .map(({ content, names, result, reversed }): readonly Message[] => {
    const calls = names.map((name, place) => ({
      id: `call_${place}`,
      kind: 'function' as const,
      name,
      arguments: JSON.stringify({ path: `/${place}` }),
    }))
    const results = calls.map(({ id }): Message => ({ role: 'tool', callId: id, content: result }))
    return [
      { role: 'assistant', content: inUsualOrder({ content, calls }) },
      ...(reversed ? results.toReversed() : results),
    ]
  })

/** A conversation in steps; after any of them the client may send what there is. */
export const someSteps: fc.Arbitrary<readonly (readonly Message[])[]> = fc.array(
  fc.oneof(userSays, assistantSays, assistantCalls),
  { minLength: 1, maxLength: 8 },
)
