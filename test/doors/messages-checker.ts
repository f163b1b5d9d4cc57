/** Everything that is wrong with what was sent on the wire of Anthropic's messages; empty when nothing is. */
type Fields = Readonly<Record<string, unknown>>

const stopReasons = ['end_turn', 'tool_use', 'max_tokens', 'stop_sequence', 'refusal', 'model_context_window_exceeded']
const figures = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens']
const errorTypes = [
  ...['invalid_request_error', 'authentication_error', 'permission_error', 'not_found_error', 'request_too_large'],
  ...['rate_limit_error', 'api_error', 'overloaded_error', 'timeout_error'],
]
const deltas: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
}
const told: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

interface Block {
  readonly index: number
  readonly type: string
  readonly start: Fields
  text: string
  signature: string | undefined
  isClosed: boolean
}

interface Frame {
  readonly event: string
  readonly data: Fields
}

/** A stream cut into its events. Comments are nothing; whatever else is no event with a name and one line of JSON is a fault. */
function framesOf(text: string, faults: string[]): readonly Frame[] {
  if (text !== '' && !text.endsWith('\n\n')) faults.push('the last event is not ended')
  return text
    .split('\n\n')
    .filter((frame) => frame !== '' && !frame.startsWith(':'))
    .flatMap((frame): readonly Frame[] => {
      const [, event = '', json = ''] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
      if (event === '') {
        faults.push(`no event with a name: ${frame.slice(0, 60)}`)
        return []
      }
      try {
        const data: unknown = JSON.parse(json)
        if (fieldsOf(data)['type'] !== event) faults.push(`${event}: its data says ${String(fieldsOf(data)['type'])}`)
        return [{ event, data: fieldsOf(data) }]
      } catch {
        faults.push(`${event}: its data is no JSON`)
        return []
      }
    })
}

function checkUsage(usage: unknown, where: string, faults: string[]): void {
  for (const name of figures) {
    const value = fieldsOf(usage)[name]
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
      faults.push(`${where}: usage without ${name}`)
  }
}

function checkHead(message: Fields, where: string, faults: string[]): void {
  if (!/^msg_\w+$/.test(String(message['id']))) faults.push(`${where}: id ${String(message['id'])}`)
  if (message['type'] !== 'message' || message['role'] !== 'assistant')
    faults.push(`${where}: no message of an assistant`)
  if (typeof message['model'] !== 'string' || message['model'] === '') faults.push(`${where}: no model`)
  if (!Array.isArray(message['content'])) faults.push(`${where}: no content`)
}

function checkStop(fields: Fields, calls: number, faults: string[]): void {
  const { stop_reason: reason, stop_sequence: sequence } = fields as { stop_reason?: unknown; stop_sequence?: unknown }
  if (!stopReasons.includes(String(reason))) faults.push(`stop_reason ${String(reason)}`)
  if ((reason === 'tool_use') !== calls > 0 && (reason === 'tool_use' || reason === 'end_turn'))
    faults.push(`stop_reason ${String(reason)} with ${calls} calls`)
  if (reason === 'stop_sequence' ? typeof sequence !== 'string' : sequence !== null) faults.push('stop_sequence')
}

function isObjectText(text: string): boolean {
  try {
    return isFields(JSON.parse(text))
  } catch {
    return false
  }
}

function checkToolUse(block: Fields, ids: Set<string>, where: string, faults: string[]): void {
  const id = String(block['id'])
  if (!/^toolu_[A-Za-z0-9]{24}$/.test(id)) faults.push(`${where}: id ${id}`)
  if (ids.has(id)) faults.push(`${where}: an id twice`)
  ids.add(id)
  if (typeof block['name'] !== 'string' || block['name'] === '') faults.push(`${where}: no name`)
  if (!isFields(block['input'])) faults.push(`${where}: no input`)
}

/** How a stream that was read came to its end. */
export interface CheckedStream {
  readonly faults: readonly string[]
  /** What a client makes of it; undefined after an error. Blocks that were never ended are left out. */
  readonly message: Fields | undefined
  /** The blocks that were begun and never ended. */
  readonly left: number
  readonly error: Fields | undefined
}

export function checkStream(text: string): CheckedStream {
  const faults: string[] = []
  const blocks: Block[] = []
  const ids = new Set<string>()
  let head: Fields | undefined
  let last: Fields | undefined
  let error: Fields | undefined
  let isOver = false

  const openWords = () => blocks.find(({ isClosed, type }) => !isClosed && type !== 'tool_use')

  function start(data: Fields): void {
    const block = fieldsOf(data['content_block'])
    const type = String(block['type'])
    const where = `block ${blocks.length}`
    if (head === undefined) faults.push(`${where}: before message_start`)
    if (last !== undefined) faults.push(`${where}: after message_delta`)
    if (data['index'] !== blocks.length) faults.push(`${where}: index ${String(data['index'])}`)
    if (openWords() !== undefined) faults.push(`${where}: begun before the one before it ended`)
    if (deltas[type] === undefined) faults.push(`${where}: type ${type}`)
    if (type === 'text' && block['text'] !== '') faults.push(`${where}: begins with text`)
    if (type === 'thinking' && (block['thinking'] !== '' || block['signature'] !== ''))
      faults.push(`${where}: begins full`)
    if (type === 'tool_use') {
      checkToolUse(block, ids, where, faults)
      if (Object.keys(fieldsOf(block['input'])).length > 0) faults.push(`${where}: input before its deltas`)
    }
    blocks.push({ index: blocks.length, type, start: block, text: '', signature: undefined, isClosed: false })
  }

  function tell(data: Fields): void {
    const block = blocks.at(-1)
    const delta = fieldsOf(data['delta'])
    const type = String(delta['type'])
    const where = `delta of block ${String(data['index'])}`
    if (block === undefined || block.index !== data['index'] || block.isClosed) {
      faults.push(`${where}: no such block is open`)
      return
    }
    if (!deltas[block.type]?.includes(type)) faults.push(`${where}: ${type} in ${block.type}`)
    const piece = delta[told[type] ?? '']
    if (typeof piece !== 'string' || (piece === '' && type !== 'signature_delta'))
      faults.push(`${where}: tells nothing`)
    if (block.signature !== undefined) faults.push(`${where}: after the signature`)
    if (type === 'signature_delta') block.signature = String(piece)
    else block.text += String(piece)
  }

  function stop(data: Fields): void {
    const block = blocks.at(-1)
    const where = `end of block ${String(data['index'])}`
    if (block === undefined || block.index !== data['index'] || block.isClosed) {
      faults.push(`${where}: no such block is open`)
      return
    }
    block.isClosed = true
    if (block.type === 'tool_use' && !isObjectText(block.text)) faults.push(`${where}: input is no object`)
    if (block.type === 'thinking' && block.signature === undefined) faults.push(`${where}: no signature`)
    if (block.type !== 'tool_use' && block.text.trim() === '') faults.push(`${where}: nothing was said`)
  }

  for (const { event, data } of framesOf(text, faults)) {
    if (isOver) faults.push(`${event}: after the end`)
    switch (event) {
      case 'message_start': {
        if (head !== undefined) faults.push('message_start: twice')
        head = fieldsOf(data['message'])
        checkHead(head, 'message_start', faults)
        checkUsage(head['usage'], 'message_start', faults)
        if (head['stop_reason'] !== null || head['stop_sequence'] !== null) faults.push('message_start: stopped')
        if (Array.isArray(head['content']) && head['content'].length > 0) faults.push('message_start: has content')
        break
      }
      case 'content_block_start':
        start(data)
        break
      case 'content_block_delta':
        tell(data)
        break
      case 'content_block_stop':
        stop(data)
        break
      case 'message_delta': {
        if (last !== undefined) faults.push('message_delta: twice')
        if (openWords() !== undefined) faults.push('message_delta: a block is open')
        last = { ...fieldsOf(data['delta']), usage: data['usage'], context_management: data['context_management'] }
        checkUsage(data['usage'], 'message_delta', faults)
        checkStop(last, blocks.filter(({ type, isClosed }) => type === 'tool_use' && isClosed).length, faults)
        break
      }
      case 'message_stop':
        if (last === undefined) faults.push('message_stop: before message_delta')
        isOver = true
        break
      case 'error':
        error = fieldsOf(data['error'])
        if (last !== undefined) faults.push('error: after message_delta')
        checkFailure(error, faults)
        isOver = true
        break
      case 'ping':
        break
      default:
        faults.push(`${event}: it is unknown`)
    }
  }
  if (!isOver) faults.push('no message_stop')
  if (head === undefined && error === undefined) faults.push('no message_start')
  const message =
    head === undefined || last === undefined ? undefined : { ...head, ...last, content: blocks.flatMap(toBlock) }
  return { faults, message, left: blocks.filter(({ isClosed }) => !isClosed).length, error }
}

function toBlock({ type, start, text, signature, isClosed }: Block): readonly Fields[] {
  if (!isClosed) return []
  if (type === 'tool_use') return [{ ...start, input: isObjectText(text) ? JSON.parse(text) : text }]
  return [type === 'thinking' ? { ...start, thinking: text, signature } : { ...start, text }]
}

/** A whole answer. */
export function checkMessage(message: unknown): readonly string[] {
  const faults: string[] = []
  const fields = fieldsOf(message)
  checkHead(fields, 'message', faults)
  checkUsage(fields['usage'], 'message', faults)
  const ids = new Set<string>()
  let calls = 0
  const content = Array.isArray(fields['content']) ? fields['content'] : []
  for (const [index, block] of content.map(fieldsOf).entries()) {
    const where = `content.${index}`
    if (block['type'] === 'tool_use') {
      calls += 1
      checkToolUse(block, ids, where, faults)
    } else if (block['type'] === 'text') {
      if (typeof block['text'] !== 'string' || block['text'].trim() === '') faults.push(`${where}: nothing was said`)
    } else if (block['type'] === 'thinking') {
      if (typeof block['thinking'] !== 'string' || typeof block['signature'] !== 'string')
        faults.push(`${where}: no thought`)
    } else faults.push(`${where}: type ${String(block['type'])}`)
  }
  checkStop(fields, calls, faults)
  return faults
}

function checkFailure(error: Fields, faults: string[]): void {
  if (!errorTypes.includes(String(error['type']))) faults.push(`error: type ${String(error['type'])}`)
  if (typeof error['message'] !== 'string' || error['message'] === '') faults.push('error: no message')
}

/** A body of a status that is no success. */
export function checkError(body: unknown): readonly string[] {
  const faults: string[] = []
  const fields = fieldsOf(body)
  if (fields['type'] !== 'error') faults.push('error: not said to be one')
  if (typeof fields['request_id'] !== 'string' || fields['request_id'] === '') faults.push('error: no request_id')
  checkFailure(fieldsOf(fields['error']), faults)
  return faults
}
