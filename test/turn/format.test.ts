import { afterEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { textOf } from '../../src/protocol/message.ts'
import type { Request } from '../../src/protocol/request.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'
import { ask, type Running, run } from '../server/scripted.ts'
import { collect, context, createScripted, fold, type Script, says, toRequest, turnsOver } from './scripted.ts'

const schema: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
  additionalProperties: false,
}
const person = { type: 'json_schema', json_schema: { name: 'person', strict: true, schema } }
const fitting = '{"name": "Ada", "age": 36}'
const read = { kind: 'function' as const, name: 'read', parameters: { type: 'object' } }
const call = '<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>'

interface Options {
  readonly request?: Partial<Request>
  readonly settings?: Partial<ModelSettings>
}

async function answer(scripts: readonly Script[], { request, settings }: Options = {}) {
  const upstream = createScripted(scripts)
  const turns = turnsOver(upstream, { dialect: 'hermes', ...settings })
  const turn = await turns.start(toRequest('Who?', { responseFormat: person, ...request }), context)
  const events = await collect(turn)
  const unmet = events.flatMap((event) =>
    event.type === 'note' && event.kind === 'response_format_unmet' ? event : [],
  )
  return { upstream, events, unmet: unmet.map(({ detail }) => detail), ...fold(events) }
}

describe('an answer and its response format', () => {
  test.each<[string, string, readonly string[], Options?]>([
    ['that it fits', fitting, []],
    ['that it fits, with white space around it', `\n${fitting}\n`, []],
    ['when it is prose', 'Ada, who was 36.', ['not JSON']],
    ['when it stands in a fence', `\`\`\`json\n${fitting}\n\`\`\``, ['not JSON']],
    ['when it is nothing', '', ['not JSON']],
    ['with a member too few and one too many', '{"name": "Ada", "born": 1815}', ['does not fit at age, born']],
    ['with a value of another type', '{"name": "Ada", "age": "36"}', ['does not fit at age']],
    ['when it is a list of them', `[${fitting}]`, ['does not fit at the whole answer']],
    ['that is any JSON object', '{"a": 1}', [], { request: { responseFormat: { type: 'json_object' } } }],
    [
      'that is any JSON object, when it is a number',
      '1',
      ['does not fit at the whole answer'],
      { request: { responseFormat: { type: 'json_object' } } },
    ],
    ['that is text', 'Ada.', [], { request: { responseFormat: { type: 'text' } } }],
    ['that is not given', 'Ada.', [], { request: { responseFormat: null } }],
    [
      'whose root is a list',
      '["Ada"]',
      [],
      {
        request: { responseFormat: { type: 'json_schema', json_schema: { name: 'names', schema: { type: 'array' } } } },
      },
    ],
    ['beside tools, in words', 'Ada.', ['not JSON'], { request: { tools: [read] } }],
    ['beside tools, met', fitting, [], { request: { tools: [read] } }],
    ['beside a call', call, [], { request: { tools: [read] } }],
  ])('%s', async (_, said, unmet, options) => {
    expect((await answer([says(said, 5)], options)).unmet).toEqual(unmet)
  })

  test('the note comes before the finish, and the words are as the model wrote them', async () => {
    const { events, text } = await answer([says('Ada.', 2)])
    const types = events.map(({ type }) => type)
    expect(types.lastIndexOf('note')).toBeLessThan(types.indexOf('finish'))
    expect(text).toBe('Ada.')
  })

  test('a refusal is no answer that could fit', async () => {
    const { unmet } = await answer([[[{ type: 'refusal', text: 'No.' }], [{ type: 'finish', reason: 'stop' }]]])
    expect(unmet).toEqual([])
  })
})

describe('where the settings allow a repair', () => {
  test.each<[string, Options]>([
    ['without tools', {}],
    ['beside tools', { request: { tools: [read] } }],
  ])('the model is asked again %s, and only the answer that fits is told', async (_, { request }) => {
    const settings = { repair: 1 }
    const { upstream, text, notes, unmet } = await answer([says('{"name": "Ada"}', 4), says(fitting, 4)], {
      settings,
      ...(request && { request }),
    })
    const [first, again] = upstream.asked
    expect(textOf(again?.messages.at(-1)?.content ?? '')).toContain('missing required `age`')
    expect(again?.messages.slice(0, -2)).toEqual(first?.messages)
    expect(again?.responseFormat).toEqual(first?.responseFormat)
    expect({ text, unmet }).toEqual({ text: fitting, unmet: [] })
    expect(notes).toEqual(expect.arrayContaining(['repair', 'repaired']))
  })

  test('what stays wrong is told once, and noted', async () => {
    const settings = { repair: 1 }
    const { text, notes, unmet, upstream } = await answer([says('Ada.', 2), says('Ada, 36.', 2)], { settings })
    expect({ text, unmet, asked: upstream.asked.length }).toEqual({ text: 'Ada, 36.', unmet: ['not JSON'], asked: 2 })
    expect(notes).toContain('repair_failed')
  })

  test('an answer that fits costs nothing more', async () => {
    const { upstream } = await answer([says(fitting, 4)], { settings: { repair: 1 } })
    expect(upstream.asked).toHaveLength(1)
  })

  test('an answer cut off by the limit is not asked for again', async () => {
    const cut: Script = [[{ type: 'text', text: '{"name": "A' }], [{ type: 'finish', reason: 'length' }]]
    const { upstream, unmet, finish } = await answer([cut, says(fitting)], { settings: { repair: 1 } })
    expect({ asked: upstream.asked.length, unmet, finish }).toEqual({ asked: 1, unmet: ['not JSON'], finish: 'length' })
  })
})

describe('the client is told in header and log', () => {
  let running: Running
  afterEach(() => running.gateway.close())

  const messages = [{ role: 'user', content: 'Who?' }]
  const format = { type: 'json_schema', name: 'person', schema }
  test.each<[string, JsonObject]>([
    ['/v1/chat/completions', { messages, response_format: person }],
    ['/v1/responses', { input: 'Who?', text: { format } }],
    ['/v1/messages', { messages, max_tokens: 99, output_config: { format: { type: 'json_schema', schema } } }],
    ['/api/chat', { messages, format: schema, stream: false }],
    ['/api/generate', { prompt: 'Who?', format: schema, stream: false }],
    ['/api/chat', { messages, format: 'json', stream: false }],
  ])('at %s', async (path, body) => {
    running = await run({ turns: turnsOver(createScripted([says('Ada.')])) })
    const logged = running.nextRecord()
    const { status, headers } = await ask(running.port, { path, body: { model: 'model', ...body } })
    expect({ status, notice: headers['x-dragoman-notice'] }).toEqual({
      status: 200,
      notice: 'response_format_unmet;why="not JSON"',
    })
    expect((await logged).notes).toContain('response_format_unmet;why="not JSON"')
  })
})
