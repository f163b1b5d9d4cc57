/** What Ollama's clients may be sent, and nothing else. Each function gives back what is wrong with some bytes: nothing, if all is well. */

type Kind = 'chat' | 'generate'
type Fields = Readonly<Record<string, unknown>>

const facts = [
  ...['total_duration', 'load_duration', 'prompt_eval_count', 'prompt_eval_duration', 'eval_count', 'eval_duration'],
] as const
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

function unknownKeys(fields: Fields, known: readonly string[], where: string): readonly string[] {
  return Object.keys(fields).flatMap((key) => (known.includes(key) ? [] : [`${where} has '${key}'`]))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is remembered of an answer's earlier lines. */
interface Memory {
  readonly ids: Set<string>
  calls: number
  model: unknown
}

function checkCall(call: unknown, memory: Memory): readonly string[] {
  if (!isFields(call) || !isFields(call['function'])) return ['a call is no object with a function']
  const { id, function: made } = call
  const { index, name, arguments: given } = made as Fields
  const wrong = [...unknownKeys(call, ['id', 'function'], 'a call')]
  wrong.push(...unknownKeys(made as Fields, ['index', 'name', 'arguments'], 'a function'))
  if (typeof id !== 'string' || !/^call_\w+$/.test(id)) wrong.push(`a call has the id ${JSON.stringify(id)}`)
  else if (memory.ids.has(id)) wrong.push(`two calls have the id ${id}`)
  else memory.ids.add(id)
  if (index !== memory.calls) wrong.push(`a call has the index ${JSON.stringify(index)}`)
  memory.calls += 1
  if (typeof name !== 'string' || name === '') wrong.push('a call has no name')
  if (!isFields(given)) wrong.push(`the arguments are ${JSON.stringify(given)}`)
  return wrong
}

function checkMessage(message: unknown, memory: Memory): readonly string[] {
  if (!isFields(message)) return ['the message is no object']
  const { role, content, thinking, tool_calls: calls } = message
  const wrong = [...unknownKeys(message, ['role', 'content', 'thinking', 'tool_calls'], 'the message')]
  if (role !== 'assistant') wrong.push(`the role is ${JSON.stringify(role)}`)
  if (typeof content !== 'string') wrong.push(`the content is ${JSON.stringify(content)}`)
  if (thinking !== undefined && (typeof thinking !== 'string' || thinking === '')) wrong.push('an empty thought')
  if (calls === undefined) return wrong
  if (!Array.isArray(calls) || calls.length === 0) return [...wrong, 'no calls in tool_calls']
  return [...wrong, ...calls.flatMap((call) => checkCall(call, memory))]
}

function checkWords(fields: Fields, kind: Kind, memory: Memory): readonly string[] {
  if (kind === 'chat') return checkMessage(fields['message'], memory)
  const { response, thinking } = fields
  const wrong = typeof response === 'string' ? [] : [`the response is ${JSON.stringify(response)}`]
  if (thinking !== undefined && (typeof thinking !== 'string' || thinking === '')) wrong.push('an empty thought')
  return wrong
}

const wordKeys = { chat: ['message'], generate: ['response', 'thinking'] } as const

function checkCommon(fields: Fields, kind: Kind, memory: Memory): readonly string[] {
  const { model, created_at: created, logprobs } = fields
  const wrong: string[] = []
  memory.model ??= model
  if (typeof model !== 'string' || model === '' || model !== memory.model)
    wrong.push(`the model is ${JSON.stringify(model)}`)
  if (typeof created !== 'string' || !stamp.test(created)) wrong.push(`created_at is ${JSON.stringify(created)}`)
  if (logprobs !== undefined && (!Array.isArray(logprobs) || logprobs.length === 0)) wrong.push('empty logprobs')
  return [...wrong, ...checkWords(fields, kind, memory)]
}

function saysNothing(fields: Fields, kind: Kind): boolean {
  const said = kind === 'chat' ? ((fields['message'] ?? {}) as Fields) : fields
  const words = kind === 'chat' ? said['content'] : said['response']
  return (
    words === '' &&
    said['thinking'] === undefined &&
    said['tool_calls'] === undefined &&
    fields['logprobs'] === undefined
  )
}

function checkPiece(fields: Fields, kind: Kind, memory: Memory): readonly string[] {
  const known = ['model', 'created_at', 'done', 'logprobs', ...wordKeys[kind]]
  const wrong = [...unknownKeys(fields, known, 'a line'), ...checkCommon(fields, kind, memory)]
  if (saysNothing(fields, kind)) wrong.push('a line says nothing')
  return wrong
}

function checkDone(fields: Fields, kind: Kind, memory: Memory, isOnly: boolean): readonly string[] {
  const { done_reason: reason } = fields
  const isLoad = reason === 'load' || reason === 'unload'
  const figures = isLoad ? [] : facts
  const known = ['model', 'created_at', 'done', 'done_reason', 'logprobs', ...wordKeys[kind], ...figures]
  const wrong = [...unknownKeys(fields, known, 'the end'), ...checkCommon(fields, kind, memory)]
  if (reason !== 'stop' && reason !== 'length' && !(isLoad && isOnly && saysNothing(fields, kind)))
    wrong.push(`done_reason is ${JSON.stringify(reason)}`)
  for (const name of figures) if (!isCount(fields[name])) wrong.push(`${name} is ${JSON.stringify(fields[name])}`)
  return wrong
}

function checkErrorFields(fields: Fields): readonly string[] {
  const { error } = fields
  const wrong = [...unknownKeys(fields, ['error'], 'an error')]
  if (typeof error !== 'string' || error === '') wrong.push(`the error is ${JSON.stringify(error)}`)
  return wrong
}

/** A stream, from its first byte to its last. */
export function checkLines(text: string, kind: Kind = 'chat'): readonly string[] {
  const memory: Memory = { ids: new Set(), calls: 0, model: undefined }
  if (!text.endsWith('\n')) return ['the last line has no end']
  const lines = text.slice(0, -1).split('\n')
  const wrong = lines.flatMap((line, index) => {
    const fields = parse(line)
    const isLast = index === lines.length - 1
    if (!isFields(fields)) return [`line ${index} is no object`]
    if ('error' in fields) return [...checkErrorFields(fields), ...(isLast ? [] : ['something follows an error'])]
    if (fields['done'] === false) return checkPiece(fields, kind, memory)
    if (fields['done'] !== true) return [`line ${index} has done ${JSON.stringify(fields['done'])}`]
    if (!saysNothing({ ...fields, logprobs: undefined }, kind)) return ['the end of a stream says something']
    return [...checkDone(fields, kind, memory, lines.length === 1), ...(isLast ? [] : ['something follows the end'])]
  })
  const last = parse(lines.at(-1) ?? '')
  const isOver = isFields(last) && (last['done'] === true || 'error' in last)
  return isOver ? wrong : [...wrong, 'there is no end']
}

/** An answer in one piece. */
export function checkBody(text: string, kind: Kind = 'chat'): readonly string[] {
  const fields = parse(text)
  if (!isFields(fields)) return ['it is no object']
  if (text.includes('\n')) return ['it has line ends']
  if (fields['done'] !== true) return [`done is ${JSON.stringify(fields['done'])}`]
  return checkDone(fields, kind, { ids: new Set(), calls: 0, model: undefined }, true)
}

/** A refusal. */
export function checkError(status: number, text: string): readonly string[] {
  const fields = parse(text)
  if (!isFields(fields)) return ['it is no object']
  const bait = /429|50[0-4]|time.?out|rate.?limit|server.?error/i
  const retried = status < 500 && status !== 429 && status !== 408 && bait.test(String(fields['error']))
  return [
    ...checkErrorFields(fields),
    ...(status < 400 ? [`the status is ${status}`] : []),
    ...(retried ? ['it sounds as if it would pass'] : []),
  ]
}
