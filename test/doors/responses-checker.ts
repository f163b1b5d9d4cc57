import { isDeepStrictEqual } from 'node:util'

/**
 * What every stream and every body of the responses door must be. Each rule is there because a client breaks without it:
 * an item is lost, a call is run that should not be, a turn is asked for again.
 */

type Fields = Record<string, unknown>

interface Open {
  readonly id: string
  readonly type: string
  readonly index: number
  readonly added: Fields
  /** The text that is being said, where it may go on. */
  text: string
  part: Fields | undefined
  /** Parts that are over. */
  readonly parts: Fields[]
  /** The arguments, or the input, were said to be whole. */
  isTold: boolean
}

/** Throws the first thing that is wrong with a stream; gives back its last response. */
export function checkStream(text: string): Fields {
  const events = parse(text)
  const [first, second] = events
  need(first?.['type'] === 'response.created', 'begins with response.created')
  need(second?.['type'] === 'response.in_progress', 'then response.in_progress')
  const begun = responseOf(first)
  for (const event of [first, second]) {
    const response = responseOf(event)
    checkResponse(response)
    need(response['status'] === 'in_progress', 'begins in progress')
    need(isDeepStrictEqual(response['output'], []), 'begins without output')
    need(response['usage'] === null, 'has no usage before its end')
  }
  const last = events.at(-1)
  need(last !== undefined && terminal.has(String(last['type'])), 'ends with a last event')
  const closed: Fields[] = []
  const left: Open[] = []
  let open: Open | undefined
  let count = 0
  for (const event of events.slice(2, -1)) {
    const type = String(event['type'])
    if (type === 'response.output_item.added') {
      if (open !== undefined) {
        need(calls.has(open.type), `${open.type} is closed before the next item`)
        left.push(open)
      }
      open = openItem(event, count++)
      const { id } = open
      need(!closed.some((item) => item['id'] === id) && !left.some((item) => item.id === id), 'ids are unique')
    } else if (type === 'response.output_item.done') {
      need(open !== undefined, 'only an open item is closed')
      need(event['output_index'] === open.index, 'an item is closed at its place')
      closed.push(closeItem(open, objectIn(event, 'item')))
      open = undefined
    } else {
      need(open !== undefined, `${type} belongs to an item`)
      need(event['item_id'] === open.id && event['output_index'] === open.index, `${type} names its item`)
      hear(open, type, event)
    }
  }
  if (open !== undefined) {
    const isFailed = last['type'] === 'response.failed'
    need(calls.has(open.type) || isFailed, `${open.type} is closed before the end`)
    left.push(open)
  }
  const response = responseOf(last)
  need(response['id'] === begun['id'] && response['model'] === begun['model'], 'is one response from beginning to end')
  need(`response.${String(response['status'])}` === last['type'], 'says in its last event how it ended')
  checkBody(response)
  checkLast(response, closed, left)
  return response
}

const terminal = new Set(['response.completed', 'response.incomplete', 'response.failed'])
const calls = new Set(['function_call', 'custom_tool_call', 'tool_search_call'])

/** Throws the first thing that is wrong with a response that is over. */
export function checkBody(response: Fields): void {
  checkResponse(response)
  const { status, error, incomplete_details: details, usage, output } = response
  need(['completed', 'incomplete', 'failed'].includes(String(status)), 'is over')
  need((status === 'failed') === (error !== null), 'has an error exactly when it failed')
  if (status === 'failed') {
    const { code, message } = error as Fields
    need(typeof code === 'string' && code !== '' && typeof message === 'string' && message !== '', 'says why it failed')
  }
  need((status === 'incomplete') === (details !== null), 'says why it is incomplete exactly when it is')
  if (status === 'incomplete') {
    need(['max_output_tokens', 'content_filter'].includes(String((details as Fields)['reason'])), 'has a known reason')
  }
  if (status !== 'failed' || usage !== null) checkUsage(objectIn(response, 'usage'))
  const items = output as Fields[]
  const ids = items.map((item) => item['id'])
  need(new Set(ids).size === ids.length, 'ids are unique')
  const callIds = items.filter((item) => calls.has(String(item['type']))).map((item) => item['call_id'])
  need(new Set(callIds).size === callIds.length, 'ids of calls are unique')
  for (const item of items) checkItem(item, status === 'incomplete')
}

const alwaysThere = [
  ...['id', 'object', 'created_at', 'status', 'error', 'incomplete_details', 'instructions', 'max_output_tokens'],
  ...['model', 'output', 'parallel_tool_calls', 'previous_response_id', 'reasoning', 'store', 'temperature', 'text'],
  ...['tool_choice', 'tools', 'top_p', 'truncation', 'usage', 'user', 'metadata', 'background'],
]

function checkResponse(response: Fields): void {
  for (const name of alwaysThere) need(response[name] !== undefined, `has ${name}`)
  need(response['object'] === 'response' && /^resp_\w{1,}$/.test(String(response['id'])), 'is a response with an id')
  need(Number.isInteger(response['created_at']), 'knows when it was made')
  need(response['background'] === false, 'is not made in the background')
  need(Array.isArray(response['output']) && Array.isArray(response['tools']), 'has lists')
  const reasoning = response['reasoning'] as Fields
  need('effort' in reasoning && 'summary' in reasoning, 'says how it reasons')
  need(!('end_turn' in response), 'never asks to be asked again')
}

function checkUsage(usage: Fields): void {
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage
  need(
    [input, output, total].every((figure) => Number.isInteger(figure)),
    'counts in numbers',
  )
  need(Number(input) + Number(output) === total, 'adds up')
  need(Number.isInteger(objectIn(usage, 'input_tokens_details')['cached_tokens']), 'counts what was cached')
  need(Number.isInteger(objectIn(usage, 'output_tokens_details')['reasoning_tokens']), 'counts thoughts')
}

const prefixes: Readonly<Record<string, RegExp>> = {
  message: /^msg_\w+$/,
  reasoning: /^rs_\w+$/,
  function_call: /^fc_\w+$/,
  custom_tool_call: /^ctc_\w+$/,
  tool_search_call: /^tsc_\w+$/,
}

function checkItem(item: Fields, mayBeCut: boolean): void {
  const type = String(item['type'])
  need(prefixes[type]?.test(String(item['id'])) === true, `${type} is a known item with an id of its kind`)
  if (type === 'reasoning') return need(Array.isArray(item['summary']), 'thoughts have a summary')
  const statuses = mayBeCut ? ['completed', 'incomplete'] : ['completed']
  need(statuses.includes(String(item['status'])), `${type} is ${statuses.join(' or ')}`)
  if (type === 'message') {
    need(item['role'] === 'assistant', 'a message is the assistant’s')
    const content = item['content'] as Fields[]
    need(Array.isArray(content) && content.length > 0, 'a message says something')
    for (const part of content) checkPart(part)
    return
  }
  need(typeof item['call_id'] === 'string' && item['call_id'] !== '', 'a call has an id for its result')
  const isWhole = item['status'] === 'completed'
  if (type === 'tool_search_call') {
    need(isObject(item['arguments']) && item['execution'] === 'client', 'a search is for the client, with an object')
    return
  }
  need(typeof item['name'] === 'string' && item['name'] !== '', 'a call has a name')
  need(item['namespace'] === undefined || typeof item['namespace'] === 'string', 'a namespace is a text')
  if (type === 'custom_tool_call') return need(typeof item['input'] === 'string', 'an input is a text')
  need(typeof item['arguments'] === 'string', 'arguments are a text')
  if (isWhole) need(isObject(JSON.parse(String(item['arguments']))), 'arguments are an object in a text')
}

function checkPart(part: Fields): void {
  if (part['type'] === 'refusal') return need(typeof part['refusal'] === 'string', 'a refusal has words')
  need(part['type'] === 'output_text' && typeof part['text'] === 'string', 'a part is text')
  need(Array.isArray(part['annotations']) && Array.isArray(part['logprobs']), 'a text has its lists')
}

function openItem(event: Fields, index: number): Open {
  const added = objectIn(event, 'item')
  const type = String(added['type'])
  need(event['output_index'] === index, 'items are counted from 0 without gaps')
  need(prefixes[type]?.test(String(added['id'])) === true, `${type} is a known item with an id of its kind`)
  need(type === 'reasoning' || added['status'] === 'in_progress', `${type} begins in progress`)
  if (type === 'message') need(isDeepStrictEqual(added['content'], []), 'a message begins empty')
  if (type === 'reasoning') need(isDeepStrictEqual(added['summary'], []), 'thoughts begin empty')
  if (type === 'function_call') need(added['arguments'] === '', 'arguments begin empty')
  if (type === 'custom_tool_call') need(added['input'] === '', 'an input begins empty')
  if (calls.has(type))
    need(typeof added['call_id'] === 'string' && added['call_id'] !== '', 'a call has its id at once')
  const open = { id: String(added['id']), type, index, added, text: '', part: undefined, parts: [], isTold: false }
  return open
}

/** What may be said inside an item: opening a part, a piece, all of it, closing the part. */
function hear(open: Open, type: string, event: Fields): void {
  const known = Object.hasOwn(sayings, type) ? sayings[type] : undefined
  need(known !== undefined && known.of === open.type, `${type} is said of its kind of item`)
  need(!open.isTold || known.does === 'close', `${type} does not follow the end`)
  if (known.place !== undefined) need(event[known.place] === open.parts.length, `${type} counts its parts`)
  if (known.does === 'open') {
    need(open.part === undefined, 'a part is closed before the next')
    open.part = objectIn(event, 'part')
    open.text = ''
  } else if (known.does === 'piece') {
    need(known.place === undefined || open.part !== undefined, 'words come in a part')
    need(typeof event['delta'] === 'string' && event['delta'] !== '', 'a piece says something')
    open.text += String(event['delta'])
  } else if (known.does === 'whole') {
    need(event[known.field ?? ''] === open.text, `${type} is what its pieces add up to`)
    open.isTold = true
  } else {
    need(open.isTold, 'a part is told whole before it is closed')
    const part = objectIn(event, 'part')
    need((part['text'] ?? part['refusal']) === open.text, 'a part is what its pieces add up to')
    need(part['type'] === open.part?.['type'], 'a part stays of its kind')
    open.parts.push(part)
    open.part = undefined
    open.isTold = false
  }
}

interface Saying {
  readonly of: string
  readonly does: 'open' | 'piece' | 'whole' | 'close'
  readonly place?: string
  readonly field?: string
}

const content = { of: 'message', place: 'content_index' } as const
const summary = { of: 'reasoning', place: 'summary_index' } as const
const sayings: Readonly<Record<string, Saying>> = {
  'response.content_part.added': { ...content, does: 'open' },
  'response.output_text.delta': { ...content, does: 'piece' },
  'response.refusal.delta': { ...content, does: 'piece' },
  'response.output_text.done': { ...content, does: 'whole', field: 'text' },
  'response.refusal.done': { ...content, does: 'whole', field: 'refusal' },
  'response.content_part.done': { ...content, does: 'close' },
  'response.reasoning_summary_part.added': { ...summary, does: 'open' },
  'response.reasoning_summary_text.delta': { ...summary, does: 'piece' },
  'response.reasoning_summary_text.done': { ...summary, does: 'whole', field: 'text' },
  'response.reasoning_summary_part.done': { ...summary, does: 'close' },
  'response.function_call_arguments.delta': { of: 'function_call', does: 'piece' },
  'response.function_call_arguments.done': { of: 'function_call', does: 'whole', field: 'arguments' },
  'response.custom_tool_call_input.delta': { of: 'custom_tool_call', does: 'piece' },
  'response.custom_tool_call_input.done': { of: 'custom_tool_call', does: 'whole', field: 'input' },
}

function closeItem(open: Open, item: Fields): Fields {
  need(item['id'] === open.id && item['type'] === open.type, 'an item is closed under its own id')
  need(open.part === undefined, 'a part is closed before its item')
  if (open.type === 'message') need(isDeepStrictEqual(item['content'], open.parts), 'a message is its parts')
  if (open.type === 'reasoning') need(isDeepStrictEqual(item['summary'], open.parts), 'a summary is its parts')
  if (calls.has(open.type)) {
    for (const name of ['call_id', 'name', 'namespace']) {
      need(item[name] === open.added[name], `a call keeps its ${name}`)
    }
    need(item['status'] === 'completed', 'to close a call is to have it run: only a whole one is closed')
    const { isTold, text } = open
    if (open.type === 'function_call') need(isTold && item['arguments'] === text, 'arguments are what was said')
    if (open.type === 'custom_tool_call') need(isTold && item['input'] === text, 'an input is what was said')
  }
  checkItem(item, true)
  return item
}

/** The last response lists what was closed and, if it was cut off, the call that was not. */
function checkLast(response: Fields, closed: readonly Fields[], left: readonly Open[]): void {
  const output = response['output'] as Fields[]
  const others = output.filter((item) => !closed.some((one) => one['id'] === item['id']))
  const same = output.filter((item) => !others.includes(item))
  need(isDeepStrictEqual(same, closed), 'lists what was closed, as it was')
  if (response['status'] !== 'incomplete') {
    need(others.length === 0, 'lists nothing that was not closed')
    need(
      closed.every((item) => item['status'] !== 'incomplete'),
      'has nothing incomplete in it',
    )
    return
  }
  for (const item of others) {
    need(left.some(({ id }) => id === item['id']) && item['status'] === 'incomplete', 'lists a call that was cut off')
  }
}

function parse(text: string): readonly Fields[] {
  const events: Fields[] = []
  need(text.endsWith('\n\n'), 'ends with a whole event')
  for (const block of text.slice(0, -2).split('\n\n')) {
    if (block.startsWith(':')) continue
    const [head = '', body = '', ...more] = block.split('\n')
    need(head.startsWith('event: ') && body.startsWith('data: ') && more.length === 0, `is an event: ${block}`)
    const event = JSON.parse(body.slice('data: '.length)) as Fields
    need(event['type'] === head.slice('event: '.length), 'names its events twice alike')
    need(event['sequence_number'] === events.length, 'counts its events from 0 without gaps')
    events.push(event)
  }
  return events
}

function responseOf(event: Fields | undefined): Fields {
  return objectIn(event ?? {}, 'response')
}

function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name]
  need(isObject(value), `${name} is an object`)
  return value
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function need(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Error(`A response ${rule}.`)
}
