import { isJsonObject, type JsonObject, parseJson } from '../protocol/json.ts'

/** What an endpoint answered, and where that departs from what OpenAI's clients rely on. */
export interface Shaped {
  readonly content: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly problems: readonly string[]
}

interface Call {
  id: string
  name: string
  arguments: string
}

/** The data of each event of a stream, `[DONE]` included. */
export function shapeOfStream(events: readonly string[]): Shaped {
  const problems = new Set<string>()
  const calls: Call[] = []
  const ids = new Set<unknown>()
  let content = ''
  let finish: unknown
  for (const [nth, data] of events.entries()) {
    if (data === '[DONE]') {
      if (nth < events.length - 1) problems.add('Events follow [DONE].')
      continue
    }
    const chunk = parseJson(data)
    if (!isJsonObject(chunk)) {
      problems.add('An event is not a JSON object.')
      continue
    }
    if (chunk['error'] !== undefined) problems.add(`The stream tells an error: ${JSON.stringify(chunk['error'])}`)
    if (chunk['object'] !== 'chat.completion.chunk') problems.add('`object` is not "chat.completion.chunk".')
    ids.add(chunk['id'])
    const choices = Array.isArray(chunk['choices']) ? chunk['choices'] : []
    if (!Array.isArray(chunk['choices'])) problems.add('A chunk has no list of `choices`.')
    for (const choice of choices.filter(isJsonObject)) {
      const delta = isJsonObject(choice['delta']) ? choice['delta'] : {}
      const says = delta['content'] || delta['tool_calls']
      if (finish !== undefined && (says || choice['finish_reason'])) problems.add('Something follows `finish_reason`.')
      if (typeof delta['content'] === 'string') content += delta['content']
      for (const part of listOf(delta['tool_calls'], problems)) addPart(part, calls, problems)
      if (choice['finish_reason'] !== null && choice['finish_reason'] !== undefined) finish = choice['finish_reason']
    }
  }
  if (ids.size > 1 || [...ids].some((id) => typeof id !== 'string'))
    problems.add('The chunks have not all the same `id`.')
  if (events.at(-1) !== '[DONE]') problems.add('The stream does not end with [DONE].')
  return { content, calls, problems: [...problems, ...judge(calls, finish)] }
}

function addPart(part: JsonObject, calls: Call[], problems: Set<string>): void {
  const { index, id, type, function: called } = part
  const about = isJsonObject(called) ? called : {}
  const { name, arguments: piece = '' } = about
  if (typeof piece !== 'string') problems.add('`arguments` is no string.')
  const text = typeof piece === 'string' ? piece : JSON.stringify(piece)
  const place = typeof index === 'number' ? index : calls.length
  if (typeof index !== 'number') problems.add('A delta of a call has no `index`.')
  const known = calls[place]
  if (known !== undefined) {
    if (place < calls.length - 1) problems.add('A call goes on after the next has begun.')
    if (typeof name === 'string' && name !== '') problems.add('The `name` of a call comes twice.')
    if (typeof id === 'string' && id !== '' && id !== known.id) problems.add('The `id` of a call changes.')
    known.arguments += text
    return
  }
  if (place !== calls.length) problems.add('The indexes of calls do not count up from 0.')
  if (type !== 'function') problems.add('A call begins without `type: "function"`.')
  calls.push({ ...readHead(id, name), arguments: text })
}

/** The JSON of an answer in one piece. */
export function shapeOfWhole(body: unknown): Shaped {
  const problems = new Set<string>()
  const choices = isJsonObject(body) && Array.isArray(body['choices']) ? body['choices'] : []
  const choice = isJsonObject(choices[0]) ? choices[0] : {}
  const message = isJsonObject(choice['message']) ? choice['message'] : {}
  if (!isJsonObject(body) || body['object'] !== 'chat.completion') problems.add('`object` is not "chat.completion".')
  if (message['role'] !== 'assistant') problems.add('`role` is not "assistant".')
  const content = message['content']
  if (content !== null && typeof content !== 'string') problems.add('`content` is neither a string nor null.')
  const calls = listOf(message['tool_calls'], problems).map(({ id, type, function: called }) => {
    const { name, arguments: json } = isJsonObject(called) ? called : {}
    if (type !== 'function') problems.add('A call has no `type: "function"`.')
    if (typeof json !== 'string') problems.add('`arguments` is no string.')
    return { ...readHead(id, name), arguments: typeof json === 'string' ? json : JSON.stringify(json ?? '') }
  })
  return {
    content: typeof content === 'string' ? content : '',
    calls,
    problems: [...problems, ...judge(calls, choice['finish_reason'])],
  }
}

const readHead = (id: unknown, name: unknown) => ({
  id: typeof id === 'string' ? id : '',
  name: typeof name === 'string' ? name : '',
})

function listOf(value: unknown, problems: Set<string>): readonly JsonObject[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) problems.add('`tool_calls` is no list.')
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function judge(calls: readonly Call[], finish: unknown): readonly string[] {
  const wanted = calls.length > 0 ? 'tool_calls' : 'stop'
  // An answer that was cut off may end in the middle of a call.
  const isCut = finish === 'length'
  const ids = calls.map(({ id }) => id)
  return [
    ...(finish === wanted || isCut
      ? []
      : [`\`finish_reason\` is ${JSON.stringify(finish)} where it has to be "${wanted}".`]),
    ...(ids.includes('') ? ['A call has no `id`.'] : []),
    ...(new Set(ids).size < ids.length ? ['Two calls have the same `id`.'] : []),
    ...(calls.some(({ name }) => name === '') ? ['A call has no `name`.'] : []),
    ...(!isCut && calls.some((call) => !isJsonObject(parseJson(call.arguments)))
      ? ['`arguments` is no JSON object.']
      : []),
  ]
}
