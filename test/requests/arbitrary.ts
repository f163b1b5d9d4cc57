import fc from 'fast-check'

type Json = unknown
type Fields = Record<string, Json>

const words = fc.constantFrom('Hi.', 'Read /a.', '', 'ünï\nlines', '{"not": "a call"}', '<tool_call>')
const filled = words.map((text) => text || 'Go on.')
const textParts = fc.array(
  filled.map((text) => ({ type: 'text', text })),
  { minLength: 1, maxLength: 2 },
)
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } }

const system = fc.record({ role: fc.constantFrom('system', 'developer'), content: fc.oneof(filled, textParts) })
const user = fc.record(
  {
    role: fc.constant('user'),
    content: fc.oneof(
      words,
      textParts,
      textParts.map((parts) => [...parts, image]),
    ),
    name: fc.constant('ada'),
  },
  { requiredKeys: ['role', 'content'] },
)
const assistant = fc.record(
  {
    role: fc.constant('assistant'),
    content: fc.oneof(filled, textParts),
    reasoning_content: fc.constantFrom('', 'hm'),
  },
  { requiredKeys: ['role', 'content'] },
)

const names = ['read', 'write', 'mcp__list-files', 'gone']

/** An assistant that calls, and the results of its calls in any order. */
const calling = fc
  .record({
    content: fc.constantFrom(null, '', 'Look.'),
    calls: fc.array(fc.record({ name: fc.constantFrom(...names), path: filled }), { minLength: 1, maxLength: 3 }),
    result: fc.oneof(words, textParts, fc.constant([])),
    named: fc.boolean(),
    reversed: fc.boolean(),
    seed: fc.nat({ max: 1_000_000 }),
  })
  .map(({ content, calls, result, named, reversed, seed }) => {
    const ids = calls.map((_, place) => `call_${seed}_${place}`)
    const results = ids.map((id, place) => ({
      role: 'tool',
      tool_call_id: id,
      content: result,
      ...(named && { name: calls[place]?.name }),
    }))
    const made = calls.map(({ name, path }, place) => ({
      id: ids[place],
      type: 'function',
      function: { name, arguments: place === 2 ? '' : JSON.stringify({ path }) },
    }))
    return [{ role: 'assistant', content, tool_calls: made }, ...(reversed ? results.reverse() : results)]
  })

const messages = fc
  .record({
    first: fc.option(system, { nil: undefined }),
    steps: fc.array(
      fc.oneof(
        user.map((one) => [one]),
        assistant.map((one) => [one]),
        calling,
      ),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ first, steps }) => [...(first === undefined ? [] : [first]), ...steps.flat()] as Json[])

const leaf = fc.constantFrom<Json>(
  { type: 'string', description: 'Where' },
  { type: 'integer', minimum: 1 },
  { type: ['string', 'null'] },
  { enum: ['a', 'b'] },
  { type: 'array', items: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  {},
)
const schema = fc.record({ path: leaf, deep: leaf, closed: fc.boolean() }).map(({ path, deep, closed }) => ({
  type: 'object',
  properties: { path, deep: { type: 'object', properties: { deep }, required: ['deep'] } },
  required: ['path'],
  ...(closed && { additionalProperties: false }),
}))

const tools = fc.uniqueArray(
  fc
    .record(
      {
        name: fc.constantFrom('read', 'write', 'mcp__list-files', 'bash'),
        description: words,
        parameters: schema,
        strict: fc.constant(false),
      },
      { requiredKeys: ['name'] },
    )
    .map((one) => ({ type: 'function', function: one })),
  { selector: (one) => one.function.name, minLength: 1, maxLength: 4 },
)

const choiceOf = (list: readonly { function: { name: string } }[]) => {
  const named = { type: 'function', function: { name: list[0]?.function.name } }
  return fc.constantFrom<Json>('auto', 'none', 'required', named, {
    type: 'allowed_tools',
    allowed_tools: { mode: 'auto', tools: [named] },
  })
}

const offered = fc.oneof(
  fc.constant({}),
  tools.chain((list) =>
    fc.record(
      { tools: fc.constant(list), tool_choice: choiceOf(list), parallel_tool_calls: fc.boolean() },
      { requiredKeys: ['tools'] },
    ),
  ),
)

const settings = fc.record(
  {
    temperature: fc.constantFrom(0, 0.7, 2),
    top_p: fc.constantFrom(0, 1),
    presence_penalty: fc.constantFrom(-2, 0.5),
    frequency_penalty: fc.constantFrom(2, 0),
    max_tokens: fc.constantFrom(1, 4096),
    max_completion_tokens: fc.constantFrom(1, 8192),
    n: fc.constantFrom(1, 2),
    seed: fc.constantFrom(-1, 42),
    stop: fc.constantFrom<Json>('END', ['a', 'b']),
    user: fc.constant('u'),
    reasoning_effort: fc.constantFrom('low', 'none'),
    response_format: fc.constantFrom<Json>(
      { type: 'text' },
      { type: 'json_object' },
      { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
    ),
    store: fc.constant(false),
    metadata: fc.constant({ a: 'b' }),
  },
  { requiredKeys: [] },
)

const streaming = fc.constantFrom<Fields>(
  {},
  { stream: false },
  { stream: true },
  { stream: true, stream_options: { include_usage: true } },
)

/** A request any client might send. */
export const validRequest: fc.Arbitrary<Fields> = fc
  .record({ messages, offered, settings, streaming })
  .map(({ messages: list, offered: more, settings: rest, streaming: how }) => ({
    model: 'model',
    messages: list,
    ...more,
    ...rest,
    ...how,
  }))

type Path = readonly (string | number)[]

function pathsOf(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, item]) =>
    pathsOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return path.length === 0 ? inner : [path, ...inner]
}

const others: readonly Json[] = [null, true, -1, 0, 1.5, 1e9, '', 'x', 'a b', [], ['x'], {}, { x: 1 }]

/** The request with one place of it gone, doubled, or something else. */
export function mutate(body: Fields, place: number, how: number): Fields {
  const paths = pathsOf(body)
  const path = paths[place % paths.length] ?? []
  return changeAt(body, path, how % (others.length + 2)) as Fields
}

function changeAt(value: Json, [step = '', ...rest]: Path, way: number): Json {
  if (Array.isArray(value)) {
    const at = Number(step)
    if (rest.length > 0) return value.with(at, changeAt(value[at], rest, way))
    if (way === 0) return value.toSpliced(at, 1)
    return way === 1 ? value.toSpliced(at, 0, value[at]) : value.with(at, others[way - 2])
  }
  const { [step]: old, ...left } = value as Fields
  if (rest.length > 0) return { ...left, [step]: changeAt(old, rest, way) }
  return way === 0 ? left : { ...left, [step]: way === 1 ? [old] : others[way - 2] }
}
