import { expect, test } from 'vitest'
import { checkError, checkMessage, checkStream } from './messages-checker.ts'

const usage = { input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 }
const id = `toolu_${'a'.repeat(24)}`
const head = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage,
}

type Frames = Readonly<Record<string, object>>

/** A stream that has one of everything; a frame set to nothing is left out. */
const sound: Frames = {
  head: { type: 'message_start', message: head },
  thinking: { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  thought: { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
  signature: { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: '' } },
  thinkingEnd: { type: 'content_block_stop', index: 0 },
  text: { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  words: { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Look.' } },
  textEnd: { type: 'content_block_stop', index: 1 },
  call: { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id, name: 'read', input: {} } },
  input: { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{}' } },
  callEnd: { type: 'content_block_stop', index: 2 },
  last: { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
  end: { type: 'message_stop' },
}

const print = (frame: object): string => {
  const { type } = frame as { type: string }
  return `event: ${type}\ndata: ${JSON.stringify(frame)}\n\n`
}
const stream = (changed: Readonly<Record<string, object | undefined>> = {}): string =>
  Object.values({ ...sound, ...changed })
    .filter((frame) => frame !== undefined)
    .map(print)
    .join('')

test('a stream with one of everything is sound, comments in it', () => {
  const { faults, message, left } = checkStream(
    `: wait\n\n${stream({ head: { type: 'message_start', message: head } })}`,
  )
  expect(faults).toEqual([])
  expect(left).toBe(0)
  expect(message).toEqual({
    ...head,
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      { type: 'text', text: 'Look.' },
      { type: 'tool_use', id, name: 'read', input: {} },
    ],
    stop_reason: 'tool_use',
    usage,
  })
  expect(checkMessage(message)).toEqual([])
})

test('a call that was cut off is left open', () => {
  const last = { type: 'message_delta', delta: { stop_reason: 'max_tokens', stop_sequence: null }, usage }
  const { faults, left } = checkStream(stream({ callEnd: undefined, last }))
  expect(faults).toEqual([])
  expect(left).toBe(1)
})

const without = (name: string) => ({ [name]: undefined })
const withDelta = (name: string, delta: object) => ({ [name]: { ...sound[name], delta } })
const withBlock = (name: string, block: object) => ({ [name]: { ...sound[name], content_block: block } })

test.each<[string, Readonly<Record<string, object | undefined>>]>([
  ['no message_start', without('head')],
  ['a second message_start', { text: sound['head'] as object }],
  ['no content', { head: { type: 'message_start', message: { ...head, content: undefined } } }],
  ['no usage at the beginning', { head: { type: 'message_start', message: { ...head, usage: undefined } } }],
  [
    'usage without the cache',
    { head: { type: 'message_start', message: { ...head, usage: { input_tokens: 1, output_tokens: 1 } } } },
  ],
  ['no usage at the end', { last: { ...sound['last'], usage: undefined } }],
  ['no model', { head: { type: 'message_start', message: { ...head, model: undefined } } }],
  ['no content_block_start', without('text')],
  ['no content_block_stop', without('textEnd')],
  ['a call that is not ended, and tool_use', without('callEnd')],
  ['no message_delta', without('last')],
  ['no message_stop', without('end')],
  ['something after the end', { ping: { type: 'ping' } }],
  ['no index', { words: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'a' } } }],
  ['an index from one', { thinking: { ...sound['thinking'], index: 1 } }],
  ['input in the beginning of a call', withBlock('call', { type: 'tool_use', id, name: 'read', input: { a: 1 } })],
  ['a call without an id', withBlock('call', { type: 'tool_use', name: 'read', input: {} })],
  ['the id of somebody else', withBlock('call', { type: 'tool_use', id: 'call_1', name: 'read', input: {} })],
  ['the same id twice', { text: { ...sound['call'], index: 1 }, words: { ...sound['input'], index: 1 } }],
  ['a call without a name', withBlock('call', { type: 'tool_use', id, input: {} })],
  ['a thought in a text', withDelta('words', { type: 'thinking_delta', thinking: 'a' })],
  ['a thought without a signature', without('signature')],
  ['a thought after its signature', { signature: sound['thought'] as object, thought: sound['signature'] as object }],
  ['half an input that was ended', withDelta('input', { type: 'input_json_delta', partial_json: '{"a' })],
  ['a call without input that was ended', without('input')],
  ['blocks that overlap', { textEnd: undefined, callEnd: sound['textEnd'] as object }],
  ['a text of nothing', withDelta('words', { type: 'text_delta', text: ' \n' })],
  ['an empty piece', withDelta('words', { type: 'text_delta', text: '' })],
  ['tool_use without a call', { call: undefined, input: undefined, callEnd: undefined }],
  ['end_turn with a call', withDelta('last', { stop_reason: 'end_turn', stop_sequence: null })],
  ['an unknown reason', withDelta('last', { stop_reason: 'stop', stop_sequence: null })],
  ['no reason', withDelta('last', { stop_reason: null, stop_sequence: null })],
  ['stop_sequence without one', withDelta('last', { stop_reason: 'stop_sequence', stop_sequence: null })],
  ['an unknown event', { text: { type: 'text' } }],
  ['an error after the end of the message', { end: { type: 'error', error: { type: 'api_error', message: 'a' } } }],
  ['an error of no kind', { last: { type: 'error', error: { type: 'server_error', message: 'a' } }, end: undefined }],
])('a stream with %s is not sound', (_, changed) => {
  expect(checkStream(stream(changed)).faults).not.toEqual([])
})

test.each([
  ['without event lines', stream().replace(/event: \w+\n/g, '')],
  ['with names that do not fit', stream().replace('event: message_start', 'event: message')],
  ['of JSON', JSON.stringify(head)],
  ['cut off', stream().slice(0, -1)],
  ['with a marker of another protocol', `${stream()}data: [DONE]\n\n`],
  ['of nothing', ''],
])('a stream %s is not sound', (_, text) => {
  expect(checkStream(text).faults).not.toEqual([])
})

test('an error ends a stream', () => {
  const text = stream({ last: { type: 'error', error: { type: 'api_error', message: 'It broke.' } }, end: undefined })
  expect(checkStream(text)).toMatchObject({ faults: [], error: { message: 'It broke.' }, message: undefined })
})

const message = { ...head, content: [{ type: 'text', text: 'Hi.' }], stop_reason: 'end_turn' }

test.each([
  ['no usage', { ...message, usage: undefined }],
  ['an empty text', { ...message, content: [{ type: 'text', text: '' }] }],
  [
    'input as a string',
    { ...message, stop_reason: 'tool_use', content: [{ type: 'tool_use', id, name: 'a', input: '{}' }] },
  ],
  ['an unknown block', { ...message, content: [{ type: 'refusal', refusal: 'No.' }] }],
  ['the reason of another protocol', { ...message, stop_reason: 'length' }],
])('a message with %s is not sound', (_, body) => {
  expect(checkMessage(message)).toEqual([])
  expect(checkMessage(body)).not.toEqual([])
})

test.each([
  ['of another protocol', { error: { message: 'a', type: 'invalid_request_error', param: null, code: 'a' } }],
  ['without an id', { type: 'error', error: { type: 'api_error', message: 'a' } }],
  ['without words', { type: 'error', error: { type: 'api_error', message: '' }, request_id: 'req_1' }],
])('an error %s is not sound', (_, body) => {
  expect(checkError({ type: 'error', error: { type: 'api_error', message: 'a' }, request_id: 'req_1' })).toEqual([])
  expect(checkError(body)).not.toEqual([])
})
