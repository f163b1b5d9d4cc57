import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { classifyRefusal } from '../../src/upstreams/refusals/refusal.ts'
import { SchemaRefusal, type Upstream, type UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { hardSamples, refusedSamples } from '../constrain/hard-schemas.ts'
import { collect, context, createScripted, fold, toRequest, turnsOver } from './scripted.ts'

const path: JsonObject = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const toolOf = (name: string, parameters: JsonObject): Tool => ({ kind: 'function', name, parameters })
const words = 'Unable to generate parser for this template: JSON schema conversion failed'

/** A service that takes no request in whose schemas a word stands, and answers with a call to the first tool. */
function picky(bad: RegExp, refusal = words) {
  const asked: UpstreamRequest[] = []
  const upstream: Upstream = {
    ...createScripted([], { nativeTools: 'yes' }),
    async *chat(request) {
      asked.push(request)
      const [first] = request.tools
      if (bad.test(JSON.stringify(request.tools.map(({ parameters }) => parameters)))) {
        throw new SchemaRefusal('upstream_rejected', refusal, { param: 'tools' })
      }
      if (first === undefined) {
        yield [{ type: 'text', text: 'In words.' }]
        yield [{ type: 'finish', reason: 'stop' }]
        return
      }
      yield [{ type: 'call', index: 0, id: 'a', name: first.name, json: '{"path": "no"}' }]
      yield [{ type: 'finish', reason: 'tool_calls' }]
    },
  }
  return { upstream, asked }
}

const patterned: JsonObject = { ...path, properties: { path: { type: 'string', pattern: '(?<=a)b', enum: ['yes'] } } }

test('only the tool whose schema is refused gets a plainer one, and the next request begins with it', async () => {
  const { upstream, asked } = picky(/pattern/)
  const turns = turnsOver(upstream, { tools: 'auto' })
  const titled = toolOf('titled', { ...path, title: 'A title that other services refuse' })
  const tools = [toolOf('a', path), titled, toolOf('b', patterned), toolOf('c', path)]
  const ask = async () => await turns.start(toRequest('Go.', { tools }), context)
  const events = await collect(await ask())
  const told = asked.at(-1)?.tools
  expect(told?.map(({ parameters }) => parameters)).toEqual([
    path,
    titled.parameters,
    { ...path, properties: { path: { type: 'string', enum: ['yes'] } } },
    path,
  ])
  expect(events).toContainEqual({ type: 'note', kind: 'schema_reduced', detail: 'b (plain)' })
  const before = asked.length
  await collect(await ask())
  expect(asked).toHaveLength(before + 1)
  expect(asked.at(-1)?.tools).toEqual(told)
})

test('what is no JSON Schema is mended first', async () => {
  const { upstream, asked } = picky(/\$ref|"text"/)
  const broken = toolOf('broken', { type: 'object', properties: { a: { $ref: '#/nowhere' }, b: { type: 'text' } } })
  const turns = turnsOver(upstream, { tools: 'native' })
  const events = await collect(
    await turns.start(toRequest('Go.', { tools: [toolOf('b', patterned), broken] }), context),
  )
  expect(asked).toHaveLength(2)
  expect(asked[1]?.tools.map(({ parameters }) => parameters)).toEqual([
    patterned,
    { type: 'object', properties: { a: {}, b: {} } },
  ])
  expect(fold(events).notes).toContain('schema_reduced')
})

test('the tool that a refusal names is the one that is reduced', async () => {
  const { upstream, asked } = picky(/additionalProperties/, "the tool 'small' has an invalid schema")
  const large = toolOf('large', { ...path, minProperties: 1, maxProperties: 50_000, title: 'long '.repeat(30) })
  const tools = [large, toolOf('small', { ...path, additionalProperties: { $ref: '#' } })]
  await collect(await turnsOver(upstream, { tools: 'native' }).start(toRequest('Go.', { tools }), context))
  expect(asked).toHaveLength(2)
  expect(asked[1]?.tools[0]).toEqual(large)
})

test('a call is checked by the schema the client sent', async () => {
  const { upstream } = picky(/pattern/)
  const turns = turnsOver(upstream, { tools: 'native' })
  const events = await collect(await turns.start(toRequest('Go.', { tools: [toolOf('b', patterned)] }), context))
  expect(fold(events).notes).toEqual(expect.arrayContaining(['schema_reduced', 'schema_violation']))
})

test('where no form will do, the tools are told in words, and other tools natively as before', async () => {
  const { upstream, asked } = picky(/path/)
  const turns = turnsOver(upstream, { tools: 'auto', dialect: 'hermes' })
  const ask = async (tools: readonly Tool[]) => await turns.start(toRequest('Go.', { tools }), context)
  const turn = await ask([toolOf('b', patterned)])
  expect([turn.plan.mode, fold(await collect(turn)).text]).toEqual(['prompt', 'In words.'])
  const before = asked.length
  await collect(await ask([toolOf('b', patterned)]))
  expect(asked).toHaveLength(before + 1)
  expect((await ask([toolOf('other', { type: 'object', properties: {} })])).plan.mode).toBe('native')
})

test('where tools have to be native, the last refusal is told', async () => {
  const { upstream } = picky(/path/)
  const started = turnsOver(upstream, { tools: 'native' }).start(
    toRequest('Go.', { tools: [toolOf('b', path)] }),
    context,
  )
  await expect(started).rejects.toMatchObject({ code: 'upstream_rejected', param: 'tools' })
})

test.each<[string, number, string]>([
  ['llama.cpp', 400, "JSON schema conversion failed:\nPattern must start with '^' and end with '$'"],
  ['llama.cpp', 400, 'Failed to initialize samplers: failed to parse grammar'],
  ['llama.cpp', 500, 'Unable to generate parser for this template. Automatic parser generation failed'],
  ['LM Studio', 500, 'Engine protocol predict request returned 400: {"error":{"message":"failed to parse grammar"}}'],
  ['Ollama', 400, 'json: cannot unmarshal object into Go struct field ToolProperty.required of type []string'],
  [
    'Ollama',
    400,
    'json: cannot unmarshal array into Go struct field .tools.function.parameters.properties of type map',
  ],
  ['vLLM', 400, 'The provided JSON schema contains features not supported by xgrammar.'],
  [
    'SGLang',
    400,
    "Tool 3 function has invalid 'parameters' schema: 'text' is not valid under any of the given schemas",
  ],
])('%s refuses a schema with status %i: %s', (_, status, message) => {
  const sent = { tools: [{ type: 'function', function: { name: 'a', parameters: path } }] }
  const refuse = (body: JsonObject | undefined) =>
    classifyRefusal({ upstream: 'local', status, body: { error: { message } }, sent: body })
  expect(refuse(sent)).toBeInstanceOf(SchemaRefusal)
  expect(refuse({ messages: [] })).not.toBeInstanceOf(SchemaRefusal)
  expect(refuse({ ...sent, messages: [{ role: 'user', content: message }] })).not.toBeInstanceOf(SchemaRefusal)
})

const engines: readonly (readonly [string, RegExp, string])[] = [
  ['what is no schema', /"\$ref":"#\/\$defs\/No|"type":"text"|"enum":\[\]/, words],
  ['patterns and formats', /"pattern"|"format"/, "Pattern must start with '^' and end with '$'"],
  ['references', /"\$ref"/, 'JSON schema conversion failed'],
  ['alternatives', /"(?:anyOf|oneOf|allOf|not|if)"/, 'failed to parse grammar'],
  ['bounds', /"(?:min|max)\w+"/, 'failed to parse grammar'],
  ['values and items', /"(?:enum|const|items|prefixItems|additionalProperties|patternProperties|\$defs)":/, words],
]

test.each(engines)(
  'a service that refuses %s answers natively, whatever schema it is given',
  async (_, bad, refusal) => {
    const samples = [...hardSamples, ...refusedSamples].map(({ schema }, index) => toolOf(`tool_${index}`, schema))
    const plain = Array.from({ length: 9 }, (_one, index) => toolOf(`plain_${index}`, path))
    for (const tool of samples) {
      for (const tools of [[tool], [...plain.slice(0, 4), tool, ...plain.slice(4)]]) {
        const { upstream, asked } = picky(bad, refusal)
        const turn = await turnsOver(upstream, { tools: 'native' }).start(toRequest('Go.', { tools }), context)
        expect(fold(await collect(turn)).finish).toBe('tool_calls')
        const told = asked.at(-1)?.tools.filter(({ name }) => name !== tool.name)
        expect(told?.map(({ parameters }) => parameters)).toEqual(tools.slice(1).map(() => path))
        expect(asked.length).toBeLessThan(12)
      }
    }
  },
)
