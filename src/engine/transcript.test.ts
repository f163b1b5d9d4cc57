import { expect, test } from 'vitest'
import { Transcript } from './transcript.ts'

test('white space waits for words, and is dropped at the end after a call', () => {
  const transcript = new Transcript()
  transcript.text('a \n')
  expect(transcript.takeEvents()).toEqual([{ type: 'text-delta', text: 'a' }])
  expect(transcript.lineStart).toBe(true)
  transcript.text(' ')
  expect(transcript.takeEvents()).toEqual([])
  transcript.text('b')
  expect(transcript.takeEvents()).toEqual([{ type: 'text-delta', text: ' \n b' }])
  expect(transcript.lineStart).toBe(false)
  transcript.startCall('i', 'ls')
  transcript.write('{')
  transcript.write('}')
  transcript.endCall()
  transcript.text('\n')
  transcript.endText()
  expect(transcript.takeEvents()).toEqual([
    { type: 'call-start', index: 0, id: 'i', name: 'ls' },
    { type: 'call-delta', index: 0, json: '{}' },
    { type: 'call-end', index: 0 },
  ])
  expect([transcript.calls, transcript.completed, transcript.afterCall, transcript.open]).toEqual([1, 1, true, false])
})

test('the last white space of an answer in words belongs to them', () => {
  const transcript = new Transcript()
  transcript.text('a\n')
  transcript.endText()
  expect(transcript.takeEvents().map((event) => ('text' in event ? event.text : ''))).toEqual(['a\n'])
})

test('white space around a thought means nothing, inside it stays', () => {
  const transcript = new Transcript()
  for (const piece of ['\n', ' a', ' \n', 'b', '\n']) transcript.thought(piece)
  transcript.endThought()
  transcript.thought('\nc')
  expect(transcript.takeEvents()).toEqual([{ type: 'reasoning-delta', text: 'a \nbc' }])
})

test('what is held leaves only when it is released', () => {
  const transcript = new Transcript()
  transcript.text('a')
  transcript.hold()
  transcript.startCall('i', 'ls')
  transcript.write('{}')
  expect([transcript.holding, transcript.takeEvents()]).toEqual([true, [{ type: 'text-delta', text: 'a' }]])
  transcript.endCall()
  transcript.release()
  expect(transcript.takeEvents().map(({ type }) => type)).toEqual(['call-start', 'call-delta', 'call-end'])
  expect(transcript.holding).toBe(false)
})

test('arguments that are held leave as one piece, and are forgotten with their call', () => {
  const transcript = new Transcript()
  transcript.hold()
  transcript.startCall('i', 'ls')
  for (const piece of ['{', '"a"', ':1}']) {
    transcript.write(piece)
    expect(transcript.takeEvents()).toEqual([])
  }
  transcript.endCall()
  transcript.release()
  expect(transcript.takeEvents().map((event) => ('json' in event ? event.json : event.type))).toEqual([
    'call-start',
    '{"a":1}',
    'call-end',
  ])
  transcript.hold()
  transcript.startCall('i', 'ls')
  transcript.write('{')
  transcript.takeEvents()
  transcript.drop()
  transcript.startCall('i', 'ls')
  transcript.write('{}')
  transcript.endCall()
  expect(transcript.takeEvents().map((event) => ('json' in event ? event.json : event.type))).toEqual([
    'call-start',
    '{}',
    'call-end',
  ])
})

test('of the marks that wait, those that mean nothing are taken out where they stand', () => {
  const transcript = new Transcript()
  transcript.text('a')
  for (const before of ['thought', 'end', 'thought', 'end'] as const) {
    transcript.text(' ')
    transcript.aside(before === 'end' ? '<e>' : '<t>', before)
  }
  transcript.text('\n')
  transcript.dropAsides('end')
  transcript.text('b')
  expect(transcript.takeEvents()).toEqual([
    { type: 'text-delta', text: 'a' },
    { type: 'note', kind: 'mark_dropped', detail: '<e>' },
    { type: 'note', kind: 'mark_dropped', detail: '<e>' },
    { type: 'text-delta', text: ' <t>  <t> \nb' },
  ])
})

test('what is dropped leaves no trace', () => {
  const transcript = new Transcript()
  transcript.text('a ')
  transcript.hold()
  transcript.startCall('i', 'ls')
  transcript.write('{')
  transcript.drop()
  expect([transcript.calls, transcript.open, transcript.afterCall]).toEqual([0, false, false])
  transcript.text('b')
  expect(transcript.takeEvents()).toEqual([{ type: 'text-delta', text: 'a b' }])
})

test('notes name the open call, errors end it', () => {
  const transcript = new Transcript()
  transcript.note('queued')
  transcript.startCall('i', 'ls')
  transcript.write('{')
  transcript.note('coerced', 'z')
  transcript.failCall('<raw>', 'cut-off')
  transcript.note('echo')
  expect(transcript.takeEvents()).toEqual([
    { type: 'note', kind: 'queued' },
    { type: 'note', kind: 'coerced', detail: 'z', index: 0 },
    { type: 'call-start', index: 0, id: 'i', name: 'ls' },
    { type: 'call-delta', index: 0, json: '{' },
    { type: 'call-error', index: 0, raw: '<raw>', reason: 'cut-off' },
    { type: 'note', kind: 'echo' },
  ])
})

test('white space before the first words goes with what it led up to', () => {
  const transcript = new Transcript()
  transcript.text('\n')
  transcript.dropLeadingSpace()
  transcript.text('a\n')
  transcript.dropLeadingSpace()
  transcript.text('b')
  expect(transcript.takeEvents()).toEqual([{ type: 'text-delta', text: 'a\nb' }])
})

test('an answer of nothing but white space is that', () => {
  const transcript = new Transcript()
  transcript.text(' \n')
  transcript.endText()
  expect(transcript.takeEvents()).toEqual([{ type: 'text-delta', text: ' \n' }])
})

test('after a call a line begins; after one that failed the text goes on', () => {
  const transcript = new Transcript()
  transcript.text('a')
  transcript.startCall('i', 'ls')
  transcript.endCall()
  expect([transcript.lineStart, transcript.afterCall]).toEqual([true, true])
  transcript.startCall('j', 'ls')
  transcript.write('{')
  expect(transcript.failCall('', 'unreadable')).toBe(true)
  expect([transcript.afterCall, transcript.calls, transcript.completed]).toEqual([false, 2, 1])
})

test('words after a call leave as their own, and a thought as its own', () => {
  const transcript = new Transcript()
  transcript.thought('a')
  transcript.text('b')
  transcript.text('c')
  transcript.thought('d')
  transcript.startCall('i', 'ls')
  transcript.write('{}')
  transcript.endCall()
  transcript.text('\ne')
  expect(transcript.takeEvents()).toEqual([
    { type: 'reasoning-delta', text: 'a' },
    { type: 'text-delta', text: 'bc' },
    { type: 'reasoning-delta', text: 'd' },
    { type: 'call-start', index: 0, id: 'i', name: 'ls' },
    { type: 'call-delta', index: 0, json: '{}' },
    { type: 'call-end', index: 0 },
    { type: 'text-delta', text: '\ne' },
  ])
})

test('a call that fails before it has arguments was none, and is told to nobody', () => {
  const transcript = new Transcript()
  transcript.text('a ')
  transcript.startCall('i', 'ls')
  expect(transcript.failCall('<raw>', 'unreadable')).toBe(false)
  expect([transcript.calls, transcript.open]).toEqual([0, false])
  transcript.startCall('j', 'ls')
  expect(transcript.failCall('<raw>', 'cut-off')).toBe(false)
  expect(transcript.takeEvents()).toEqual([
    { type: 'text-delta', text: 'a <raw>' },
    { type: 'note', kind: 'call_unreadable' },
    { type: 'text-delta', text: '<raw>' },
  ])
})

test('without anything held, releasing and dropping change nothing', () => {
  const transcript = new Transcript()
  transcript.text('a')
  transcript.release()
  transcript.drop()
  expect(transcript.takeEvents()).toEqual([{ type: 'text-delta', text: 'a' }])
})
