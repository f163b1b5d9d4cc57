import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../../dialects/dialect.ts'
import { dialects, findDialect } from '../../../dialects/registry.ts'
import { createReader } from '../../../engine/reader.ts'
import type { Event } from '../../../protocol/event.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { createGuard, type Guard } from './guard.ts'
import { guardedMarksFor } from './guarded-marks.ts'

const tools: readonly Tool[] = [
  { kind: 'function', name: 'read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  { kind: 'function', name: 'set_lamp' },
]

/** Every literal of every dialect, whatever it is for: the test knows nothing of how a guard finds its marks. */
const literals = [
  ...new Set(
    dialects.flatMap(({ grammar, reasoning, dropped, teaching }) => [
      ...literalsIn([grammar, reasoning, dropped]),
      ...literalsIn(teaching.result),
    ]),
  ),
]

function literalsIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null && !(value instanceof RegExp))
    return Object.values(value).flatMap(literalsIn)
  if (typeof value !== 'string' || !/[^\w-]/.test(value)) return []
  return [value.replace('{name}', 'read').replace('{key}', 'path'), ...value.split(/\{\w+\}|\n/)].filter(
    (bit) => bit.trim() !== '',
  )
}

const joiner = '\u2060'
const mark = fc.constantFrom(...literals, '<read>', '</read>', '<think>', '<|im_end|>')
const bit = fc.oneof(
  { weight: 4, arbitrary: mark },
  { weight: 2, arbitrary: fc.tuple(mark, fc.nat(12)).map(([text, length]) => text.slice(0, length)) },
  { weight: 2, arbitrary: fc.tuple(mark, fc.nat(12)).map(([text, from]) => text.slice(from)) },
  { weight: 2, arbitrary: fc.constantFrom(joiner, joiner.repeat(2), joiner.repeat(3)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '<',
      '[',
      '{"name": "gone", "arguments": {}}',
      '{"path": "/a"}',
      'read',
      ' a\n',
      '🙂',
      '\\u2060',
      '\\',
    ),
  },
  { weight: 1, arbitrary: fc.tuple(mark, fc.nat(8)).map(([text, at]) => text.slice(0, at) + joiner + text.slice(at)) },
)
const texts = fc.array(bit, { maxLength: 12 }).map((parts) => parts.join(''))
const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })

function guardFor(name: string): Guard {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)
  return createGuard(guardedMarksFor(dialect, tools))
}

function cut(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = []
  for (let at = 0, turn = 0; at < text.length; at += pieces.at(-1)?.length ?? 1)
    pieces.push(text.slice(at, at + (sizes[turn++ % sizes.length] ?? 1)))
  return pieces
}

/** What becomes of a text the model copies in pieces, as words or as an argument. */
function restore(guard: Guard, pieces: readonly string[], as: 'text' | 'reasoning' | 'json'): string {
  const { push } = guard.createRestore()
  const events = pieces.map((piece): Event => {
    if (as === 'json') return { type: 'call-delta', index: 0, json: piece }
    return { type: as === 'text' ? 'text-delta' : 'reasoning-delta', text: piece }
  })
  return push([...events, { type: 'call-end', index: 0 }])
    .map((event) => ('text' in event ? event.text : event.type === 'call-delta' ? event.json : ''))
    .join('')
}

describe.each(dialects.map((dialect) => ({ name: dialect.name, dialect })))('the guard of $name', ({ dialect }) => {
  test('gives back what it neutralised, however it is cut', () => {
    fc.assert(
      fc.property(texts, cuts, fc.constantFrom('text', 'reasoning'), (text, sizes, as) => {
        const guard = createGuard(guardedMarksFor(dialect, tools))
        expect(restore(guard, cut(guard.neutralise(text), sizes), as)).toBe(text)
      }),
    )
  })

  test('gives it back as an argument, escaped or not', () => {
    fc.assert(
      fc.property(texts, cuts, fc.boolean(), (text, sizes, escapes) => {
        const guard = createGuard(guardedMarksFor(dialect, tools))
        const json = JSON.stringify({ text: guard.neutralise(text), more: 1 })
        const written = escapes ? json.replaceAll(joiner, '\\u2060') : json
        expect(JSON.parse(restore(guard, cut(written, sizes), 'json'))).toEqual({ text, more: 1 })
      }),
    )
  })

  test('leaves nothing a reader acts on', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const neutral = createGuard(guardedMarksFor(dialect, tools)).neutralise(text)
        const reader = createReader({
          dialect: withoutOrdinaryMarks(dialect),
          others: marked,
          tools,
          newId: () => '1',
        })
        const events = [...reader.push(neutral), ...reader.end('stop')]
        expect(events.filter(({ type }) => type !== 'text-delta')).toEqual([{ type: 'finish', reason: 'stop' }])
        expect(events.map((event) => ('text' in event ? event.text : '')).join('')).toBe(neutral)
      }),
    )
  })
})

/** Calls without any marks have nothing to break: comparing calls is what keeps them from being repeated. */
const marked = dialects.map((dialect) => ({ ...dialect, grammar: { ...dialect.grammar, isFallback: false } }))

/** Brackets, fences and mere names are marks of some dialects. They are ordinary text, and a guard leaves them alone. */
function withoutOrdinaryMarks(dialect: Dialect): Dialect | undefined {
  const { call, section, frame } = dialect.grammar
  const literals = [...call.open, ...(section?.open ?? []), ...(frame?.body ?? [])]
  const isUnmarked = [dialect.grammar, ...(dialect.variants ?? [])].some(({ marks }) => marks === 'none')
  return isUnmarked || literals.some((mark) => /^(?:[`[{]|$)/.test(mark.trim())) ? undefined : dialect
}

test.each([
  ['hermes', 'A <tool_call> b', 'A <\u2060tool_call> b'],
  ['hermes', '</tool_response> end', '<\u2060/tool_response> end'],
  ['hermes', '<read> is a tool, <p> is not', '<\u2060read> is a tool, <p> is not'],
  ['hermes', 'Action: a `call:read{}`', 'Action: a `call:read{}`'],
  ['hermes', '<|tool_call>call:read{}<tool_call|>', '<\u2060|tool_call>call:read{}<\u2060tool_call|>'],
  ['gemma4', '<|tool_call>call:read{}', '<\u2060|tool_call>c\u2060all:read{}'],
  ['react', 'Action: read', 'A\u2060ction: read'],
  ['roo-xml', '<read> and <b> and </path>', '<\u2060read> and <b> and <\u2060/path>'],
  ['harmony', '<|channel|>x<|message|>y<|call|>', '<\u2060|channel|>x<\u2060|message|>y<\u2060|call|>'],
  ['json-fence', '```json\n{}\n```', '```json\n{}\n```'],
  ['hermes', 'a\u2060b', 'a\u2060\u2060b'],
])('%s turns %j into %j', (name, text, neutralised) => {
  expect(guardFor(name).neutralise(text)).toBe(neutralised)
})

test('joiners the model invents stay when everything was shown as it is', () => {
  const guard = guardFor('hermes')
  guard.neutralise('plain')
  expect(restore(guard, ['a\u2060b'], 'text')).toBe('a\u2060b')
})

test('what is shown with its marks has its joiners doubled, in JSON the escaped ones, too', () => {
  const guard = guardFor('hermes')
  expect(guard.keep('<tool_call> \u2060')).toBe('<tool_call> \u2060\u2060')
  expect(guard.keepJson('{"a":"\\u2060\\\\u2060\u2060\\n"}')).toBe('{"a":"\u2060\u2060\\\\u2060\u2060\u2060\\n"}')
})

test('half an escape waits for the other half, and is not lost when there is none', () => {
  const guard = guardFor('hermes')
  guard.neutralise('<tool_call>')
  const { push } = guard.createRestore()
  const delta = (json: string): Event => ({ type: 'call-delta', index: 0, json })
  expect(push([delta('"a\\u20')])).toEqual([delta('"a')])
  expect(push([{ type: 'call-error', index: 0, raw: 'x\u2060y', reason: 'cut-off' }])).toEqual([
    delta('\\u20'),
    { type: 'call-error', index: 0, raw: 'xy', reason: 'cut-off' },
  ])
})
