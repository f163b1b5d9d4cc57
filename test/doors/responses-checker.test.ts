import { expect, test } from 'vitest'
import { openaiResponses } from '../../src/doors/openai-responses/door.ts'
import type { Event } from '../../src/protocol/event.ts'
import { checkBody, checkStream } from './responses-checker.ts'
import { readAt } from './visit.ts'

/** A checker that cannot fail checks nothing: each deviation that breaks some client must be found. */

const spoken: readonly Event[] = [
  { type: 'reasoning-delta', text: 'Hm.' },
  { type: 'text-delta', text: 'Let me ' },
  { type: 'text-delta', text: 'look.' },
  { type: 'call-start', index: 0, id: 'call_a', name: 'look' },
  { type: 'call-delta', index: 0, json: '{"at":' },
  { type: 'call-delta', index: 0, json: '1}' },
  { type: 'call-end', index: 0 },
  { type: 'usage', promptTokens: 3, completionTokens: 4 },
  { type: 'finish', reason: 'tool_calls' },
]

const body = { model: 'm', input: 'Go.', stream: true, tools: [{ type: 'function', name: 'look' }] }

async function printStream(events: readonly Event[] = spoken): Promise<string> {
  const exchange = await readAt(openaiResponses, '/v1/responses', body)
  const printer = exchange.createStream()
  let text = printer.open({ promptTokens: () => 1 })
  for (const event of events) text += printer.push(0, [event])
  return text + (await printer.end())
}

type Fields = Record<string, unknown>
type Change = (events: Fields[]) => Fields[]

/** The stream with its events changed, and counted anew. */
async function changed(change: Change): Promise<string> {
  const events = (await printStream())
    .trimEnd()
    .split('\n\n')
    .map((block) => JSON.parse(block.slice(block.indexOf('data: ') + 6)) as Fields)
  return change(events)
    .map((event, index) => `event: ${event['type']}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`)
    .join('')
}

const without =
  (type: string): Change =>
  (events) =>
    events.filter((event) => event['type'] !== type)

/** Changes what the events of a type hold. */
const within =
  (type: string, change: (event: Fields) => Fields): Change =>
  (events) =>
    events.map((event) => (event['type'] === type ? change(event) : event))

const response = (change: Fields) => (event: Fields) => ({
  ...event,
  response: { ...(event['response'] as Fields), ...change },
})
const item = (of: string, change: Fields) => (event: Fields) => {
  const old = event['item'] as Fields
  return old['type'] === of ? { ...event, item: { ...old, ...change } } : event
}
const completed = 'response.completed'
const added = 'response.output_item.added'
const done = 'response.output_item.done'
const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 }

const deviations: readonly (readonly [name: string, change: Change])[] = [
  ['no response.created', without('response.created')],
  ['no response.in_progress', without('response.in_progress')],
  ['no output_item.added', without(added)],
  ['no output_item.done', without(done)],
  ['no arguments.done', without('response.function_call_arguments.done')],
  ['a delta too few', without('response.function_call_arguments.delta')],
  ['text without its part', without('response.content_part.added')],
  ['a part that is not closed', without('response.content_part.done')],
  ['no last event', without(completed)],
  ['two last events', (events) => [...events, events.at(-1) ?? {}]],
  ['no id in the last response', within(completed, response({ id: undefined }))],
  ['another id in the last response', within(completed, response({ id: 'resp_other' }))],
  ['no usage', within(completed, response({ usage: null }))],
  ['usage without details', within(completed, response({ usage }))],
  [
    'usage without a total',
    within(completed, response({ usage: { ...usage, total_tokens: undefined, input_tokens_details: {} } })),
  ],
  ['usage by the names of chat', within(completed, response({ usage: { prompt_tokens: 3, completion_tokens: 4 } }))],
  ['a call without call_id', within(done, item('function_call', { call_id: undefined }))],
  ['arguments as an object', within(done, item('function_call', { arguments: { at: 1 } }))],
  ['a call without id', within(added, item('function_call', { id: undefined }))],
  ['a call without status', within(done, item('function_call', { status: undefined }))],
  ['another id when closed', within(done, item('function_call', { id: 'fc_other' }))],
  ['empty arguments', within(done, item('function_call', { arguments: '' }))],
  ['a cut call that is closed', within(done, item('function_call', { status: 'incomplete' }))],
  ['thoughts without a summary', within(done, item('reasoning', { summary: undefined }))],
  ['incomplete inside completed', within(completed, response({ status: 'incomplete' }))],
  [
    'failed without an error',
    within(completed, (event) => ({ ...response({ status: 'failed' })(event), type: 'response.failed' })),
  ],
  ['an output that lacks an item', within(completed, response({ output: [] }))],
  ['an event named error', (events) => [...events.slice(0, -1), { type: 'error', code: 'x', message: 'y' }]],
  ['end_turn', within(completed, response({ end_turn: false }))],
  ['a gap in output_index', within(added, (event) => ({ ...event, output_index: Number(event['output_index']) + 1 }))],
  ['no metadata', within(completed, response({ metadata: undefined }))],
]

test('a stream as it should be is fine', async () => {
  expect(checkStream(await printStream())).toMatchObject({ status: 'completed' })
  expect(checkStream(await changed((events) => events))).toMatchObject({ status: 'completed' })
})

test.each(deviations)('%s is found', async (_name, change) => {
  const text = await changed(change)
  expect(() => checkStream(text)).toThrow('A response')
})

test('a gap in the numbers and a frame without its name are found', async () => {
  const text = await printStream()
  expect(() => checkStream(text.replace('"sequence_number":4', '"sequence_number":9'))).toThrow('counts its events')
  expect(() => checkStream(text.replace('event: response.output_text.done\n', ''))).toThrow('is an event')
  expect(() => checkStream(`${text}data: [DONE]\n\n`)).toThrow('is an event')
})

test('a body with the same id of two calls is found', async () => {
  const last = checkStream(await printStream())
  const [, , call] = last['output'] as Fields[]
  expect(() => checkBody({ ...last, output: [call, { ...call, id: 'fc_2' }] })).toThrow('ids of calls')
})
