import { expect, test } from 'vitest'
import { checkMessage, checkStream } from '../../../../test/doors/messages-checker.ts'
import { GatewayError } from '../../../errors.ts'
import type { Event } from '../../../protocol/event.ts'
import { createRandomId } from '../../../random-id.ts'
import { createToolNames } from '../../shared/tools.ts'
import { createCallMetadata } from '../kept/call-metadata.ts'
import { createMessage, type Manner, printMessage, silentWire } from './message.ts'
import { createStream } from './stream.ts'

const identity = { id: 'msg_1', model: 'asked-for' }
const names = createToolNames()
const long = `mcp__server__${'x'.repeat(80)}`
const inner = names.toInner(long)
const manner: Manner = {
  showsThoughts: true,
  isFull: false,
  names,
  callMetadata: createCallMetadata(createRandomId),
  appliedEdits: undefined,
}

const text = (words: string): Event => ({ type: 'text-delta', text: words })
const thought = (words: string): Event => ({ type: 'reasoning-delta', text: words })
const refusal = (words: string): Event => ({ type: 'refusal-delta', text: words })
const start = (index: number, name = 'read'): Event => ({ type: 'call-start', index, id: `call_${index}`, name })
const json = (index: number, piece: string): Event => ({ type: 'call-delta', index, json: piece })
const end = (index: number): Event => ({ type: 'call-end', index })
const error = (index: number, reason = 'cut-off'): Event => ({ type: 'call-error', index, raw: 'read {"pa', reason })
const usage: Event = { type: 'usage', promptTokens: 100, completionTokens: 7, cachedTokens: 40 }
const finish = (reason: 'stop' | 'tool_calls' | 'length' | 'content_filter' = 'stop', stop?: string): Event =>
  stop === undefined ? { type: 'finish', reason } : { type: 'finish', reason, stop }

function streamed(batches: readonly (readonly Event[])[], how: Manner = manner): string {
  const printer = createStream(identity, how)
  const pieces = batches.map((events) => printer.push(0, events))
  return printer.open({ promptTokens: () => 90 }) + pieces.join('') + (printer.end() as string)
}

function printWhole(events: readonly Event[], how: Manner = manner): string {
  const message = createMessage(how, silentWire)
  message.push(events)
  return printMessage(identity, message)
}

const tool = (input: object, name = 'read') => ({ type: 'tool_use', name, input })
const words = (said: string) => ({ type: 'text', text: said })

type Case = [string, readonly Event[], readonly object[], string, Partial<Manner>?]

test.each<Case>([
  ['words', [text('Hel'), text('lo.'), usage, finish()], [words('Hello.')], 'end_turn'],
  ['nothing', [usage, finish()], [], 'end_turn'],
  ['white space', [text(' \n'), usage, finish()], [], 'end_turn'],
  ['white space before words', [text('\n'), text('\nHi.'), usage, finish()], [words('\n\nHi.')], 'end_turn'],
  [
    'thoughts and words',
    [thought('Hm'), thought('.'), text('Hi.'), usage, finish()],
    [{ type: 'thinking', thinking: 'Hm.' }, words('Hi.')],
    'end_turn',
  ],
  [
    'a thought between words',
    [text('One.'), thought('Hm.'), text('Two.'), usage, finish()],
    [words('One.'), { type: 'thinking', thinking: 'Hm.' }, words('Two.')],
    'end_turn',
  ],
  [
    'thoughts that were not asked for',
    [thought('Hm.'), text('Hi.'), usage, finish()],
    [words('Hi.')],
    'end_turn',
    { showsThoughts: false },
  ],
  [
    'a call in pieces',
    [text('Look.\n\n'), start(0), json(0, '{"pa'), json(0, 'th":"a"}'), end(0), usage, finish('tool_calls')],
    [words('Look.\n\n'), tool({ path: 'a' })],
    'tool_use',
  ],
  ['a call without arguments', [start(0, 'ls'), end(0), usage, finish('tool_calls')], [tool({}, 'ls')], 'tool_use'],
  [
    'two calls with white space between them',
    [
      start(0),
      json(0, '{"path":"a"}'),
      end(0),
      text('\n'),
      start(1),
      json(1, '{"path":"b"}'),
      end(1),
      usage,
      finish('tool_calls'),
    ],
    [tool({ path: 'a' }), tool({ path: 'b' })],
    'tool_use',
  ],
  [
    'words after a call',
    [start(0, 'ls'), end(0), text('Done.'), usage, finish('tool_calls')],
    [tool({}, 'ls'), words('Done.')],
    'tool_use',
  ],
  ['a long name', [start(0, inner), end(0), usage, finish('tool_calls')], [tool({}, long)], 'tool_use'],
  [
    'a call that was cut off',
    [text('Look.'), start(0), json(0, '{"pa'), error(0), usage, finish('length')],
    [words('Look.')],
    'max_tokens',
  ],
  [
    'a call after one that was cut off',
    [start(0), json(0, '{"pa'), error(0), start(1, 'ls'), end(1), usage, finish('length')],
    [tool({}, 'ls')],
    'max_tokens',
  ],
  ['an answer that was cut off', [text('Half an ans'), usage, finish('length')], [words('Half an ans')], 'max_tokens'],
  [
    'a context that is full',
    [text('Half'), usage, finish('length')],
    [words('Half')],
    'model_context_window_exceeded',
    { isFull: true },
  ],
  ['a filter', [text('I will'), usage, finish('content_filter')], [words('I will')], 'refusal'],
  ['a refusal', [refusal('I cannot '), refusal('do that.'), usage, finish()], [words('I cannot do that.')], 'refusal'],
  ['a stop sequence', [text('One, two'), usage, finish('stop', 'END')], [words('One, two')], 'stop_sequence'],
])('%s', (_, events, content, reason, how = {}) => {
  const asked = { ...manner, callMetadata: createCallMetadata(createRandomId), ...how }
  for (const batches of [[events], events.map((event) => [event])]) {
    const { faults, message } = checkStream(streamed(batches, asked))
    expect(faults).toEqual([])
    expect(message).toMatchObject({ content, stop_reason: reason, model: 'asked-for' })
    const whole = JSON.parse(printWhole(events, asked)) as { content: object[] }
    expect(checkMessage(whole)).toEqual([])
    const unnamed = (blocks: unknown) => (blocks as { id?: string }[]).map(({ id: _id, ...rest }) => rest)
    expect({ ...message, content: unnamed(message?.['content']) }).toEqual({
      ...whole,
      content: unnamed(whole.content),
    })
  }
})

test('a call that was cut off is never ended, so nobody runs it', () => {
  const wire = streamed([[start(0), json(0, '{}')], [error(0)], [usage, finish('length')]])
  expect(checkStream(wire)).toMatchObject({ faults: [], left: 1 })
  expect(wire).not.toContain('content_block_stop')
})

test('what could not be read as a call is told in a whole answer', () => {
  const whole = JSON.parse(printWhole([start(0), error(0, 'malformed'), usage, finish()])) as object
  expect(whole).toMatchObject({ content: [words('read {"pa')], stop_reason: 'end_turn' })
})

test('the figures: a guess first, the truth at the end, what the cache had apart', () => {
  const wire = streamed([[text('Hi.'), usage, finish()]])
  expect(wire).toContain(
    '"usage":{"input_tokens":90,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}',
  )
  expect(wire).toContain(
    '"usage":{"input_tokens":60,"cache_creation_input_tokens":0,"cache_read_input_tokens":40,"output_tokens":7}',
  )
})

test('pieces of one read are one event, and notes are none', () => {
  const printer = createStream(identity, manner)
  printer.push(0, [text('a')])
  expect(printer.push(0, [text('b'), { type: 'note', kind: 'echo' }, text('c')]).match(/event: /g)).toHaveLength(1)
  expect(
    printer.push(0, [
      { type: 'note', kind: 'echo' },
      { type: 'remarks', fields: {} },
    ]),
  ).toBe('')
})

test('a failure in the middle is an error event, and nothing follows it', () => {
  const printer = createStream(identity, manner)
  const told = printer.open({ promptTokens: () => 1 }) + printer.push(0, [text('Hel')])
  const {
    faults,
    error: failure,
    message,
  } = checkStream(told + printer.fail(new GatewayError('upstream_overloaded', 'Busy.')))
  expect(faults).toEqual([])
  expect(failure).toEqual({ type: 'overloaded_error', message: 'Busy.' })
  expect(message).toBeUndefined()
})

test('an answer that never finished is an error', () => {
  const printer = createStream(identity, manner)
  printer.push(0, [text('Hel')])
  expect(() => printer.end()).toThrow('without a finish reason')
  expect(() => printWhole([text('Hel')])).toThrow('without a finish reason')
})

test('what a service wants back travels in the signature', () => {
  const metadata: Event = {
    type: 'provider-metadata',
    fields: { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] },
  }
  const { message } = checkStream(streamed([[thought('Hm.'), metadata, text('Hi.'), usage, finish()]]))
  expect(message).toMatchObject({ content: [{ signature: expect.stringMatching(/^dragoman-1\.[\w.-]+$/) }, {}] })
})

test('figures that no number can hold pass as they were written', () => {
  const events = [start(0), json(0, '{"id":12345678901234567890}'), end(0), usage, finish('tool_calls')]
  expect(printWhole(events)).toContain('"input":{"id":12345678901234567890}')
})
