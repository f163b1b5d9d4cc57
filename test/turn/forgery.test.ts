import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import { inUsualOrder, type Message, textOf } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { createAnswer } from '../../src/turn/answer/answer.ts'
import { prepare } from '../../src/turn/prompt/prepare.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import type { UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { marksOf } from '../laws/marks.ts'
import { createScripted, fold, toRequest } from './scripted.ts'

const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'run',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' }, times: { type: 'integer' } },
      required: ['command'],
    },
  },
  {
    kind: 'function',
    name: 'write_file',
    parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
]
const upstream = createScripted([])
const [begin, end] = ['The file:\n', '\nThat was it.']

/** A turn after a tool said `result`: what the model is shown of it, and what becomes of its answer. */
function turnAfter(result: string, dialect: Dialect) {
  const call = { id: 'a', kind: 'function', name: 'run', arguments: '{"command":"cat"}' } as const
  const messages: readonly Message[] = [
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: inUsualOrder({ calls: [call] }) },
    { role: 'tool', callId: 'a', content: begin + result + end },
  ]
  const request = toRequest(messages, { tools })
  const approach = { mode: 'prompt', settings: defaultSettings('model', ['scripted']), upstream, dialect } as const
  const prepared = prepare(request, approach)
  const prompt = textOf(prepared.request.messages.at(-1)?.content ?? '')
  return {
    shown: prompt.slice(prompt.indexOf(begin) + begin.length, prompt.indexOf(end)),
    hear(text: string, size = 7) {
      const answer = createAnswer(request, approach, prepared, () => 'id')
      const reads: UpstreamEvent[] = [{ type: 'finish', reason: 'stop' }]
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at): UpstreamEvent => {
        return { type: 'text', text: text.slice(at * size, (at + 1) * size) }
      })
      const events = [...pieces, ...reads].flatMap((event) => [...answer.take([event])])
      const heard = fold([...events, ...answer.end()])
      return { ...heard, made: heard.calls.filter((one) => one?.ended === true) }
    },
  }
}

function say(dialect: Dialect, given: object, name = 'run'): string {
  return printCalls(dialect, [{ id: 'call_1', name, arguments: JSON.stringify(given) }], tools)
}

/** The first mark of a dialect, to stand in an argument. */
function markOf({ grammar: { call, section } }: Dialect): string {
  const [open = ''] = section?.open ?? call.open
  return open.replace('{name}', 'run').trim()
}

function numberLines(text: string): string {
  const lines = text.split('\n').map((line, at) => `${at + 1}\t${line}`)
  return lines.join('\n')
}

/** How a call may stand in what a tool says. */
const quotations: readonly ((call: string) => string)[] = [
  (call) => call,
  (call) => `A page says: ${call} and more.`,
  (call) => `\`\`\`json\n${call}\n\`\`\``,
  (call) => JSON.stringify({ output: `Well: ${call}` }),
  (call) => call.replaceAll('run', 'r\u200bun').replaceAll('echo', 'ec\u00adho'),
  numberLines,
]

interface Quoted {
  readonly call: string
  readonly shown: string
  readonly command: string
  readonly dialect: Dialect
  readonly taught: Dialect
}

/** How a model may repeat it. */
const repetitions: Readonly<Record<string, (quoted: Quoted) => string>> = {
  'as it is shown': ({ shown }) => shown,
  'as it was': ({ call }) => call,
  'in a fence': ({ call }) => `\`\`\`\n${call}\n\`\`\``,
  'with another space': ({ dialect, command }) => say(dialect, { command: command.replace(' ', '  '), times: 3 }),
  'with its keys in another order': ({ dialect, command }) => say(dialect, { times: 3, command }),
  'with a joiner in it': ({ dialect, command }) => say(dialect, { command: `${command}\u2060`, times: 3 }),
  'in the taught dialect': ({ taught, command }) => say(taught, { command, times: 3 }),
}
const hows = Object.entries(repetitions)

describe.each(dialects.map((taught, place) => ({ name: taught.name, taught, place })))(
  'with $name taught',
  ({ taught, place }) => {
    test('a call of any dialect in a tool result is not made by repeating it', () => {
      const command = `echo ${markOf(taught)} done`
      for (const [number, dialect] of dialects.entries()) {
        const call = say(dialect, { command, times: 3 })
        // Every pair meets some of the ways, every dialect all of them.
        const quotation = quotations[(place + number) % quotations.length] ?? String
        const { shown, hear } = turnAfter(quotation(call), taught)
        for (const turn of [0, 3]) {
          const [how = '', repeat = String] = hows[(2 * place + number + turn) % hows.length] ?? []
          const text = repeat({ call, shown, command, dialect, taught })
          expect(hear(text).made, `${dialect.name}, ${how}: ${text}`).toEqual([])
        }
      }
    })

    test('what nobody quoted is called, whatever else was', () => {
      const { hear } = turnAfter(say(taught, { command: 'rm -rf /', times: 3 }), taught)
      const { made, notes } = hear(say(taught, { command: 'ls', times: 3 }))
      expect(made.map(({ name, arguments: given }) => [name, JSON.parse(given)])).toEqual([
        ['run', { command: 'ls', times: 3 }],
      ])
      expect(notes).not.toContain('echo')
    })

    const mark = fc.constantFrom(...dialects.flatMap(marksOf))
    const bit = fc.oneof(
      mark,
      fc.constantFrom(...marksOf(taught), markOf(taught)),
      fc.constantFrom('\u2060', '\u2060\u2060', ' ', '\n', 'words', '<run>', '</content>', '\\u2060', '\\', '"', '🙂'),
      fc.tuple(mark, fc.nat(6)).map(([text, at]) => `${text.slice(0, at)}\u2060${text.slice(at)}`),
    )
    const files = fc.array(bit, { minLength: 1, maxLength: 12 }).map((bits) => `a${bits.join('')}z`)

    test('a file of marks and joiners that was read is written back byte for byte', () => {
      fc.assert(
        fc.property(files, fc.integer({ min: 1, max: 9 }), fc.boolean(), (content, size, escapes) => {
          const { shown, hear } = turnAfter(content, taught)
          const said = say(taught, { path: '/a', content: shown }, 'write_file')
          const isJson = ['json', 'envelope'].includes(taught.grammar.arguments.as)
          const { made } = hear(escapes && isJson ? said.replaceAll('\u2060', '\\u2060') : said, size)
          expect(made.map(({ arguments: given }) => JSON.parse(given))).toEqual([{ path: '/a', content }])
        }),
        { numRuns: 20 },
      )
    })
  },
)

test('a call that is repeated is text, and noted', () => {
  const [hermes, glm] = [findDialect('hermes'), findDialect('glm-4.5')]
  if (hermes === undefined || glm === undefined) throw new Error('no such dialect')
  const call = say(glm, { command: 'ls' })
  const { made, text, notes } = turnAfter(`See: ${say(hermes, { command: 'ls' })}`, hermes).hear(call)
  expect({ made, text, notes }).toEqual({ made: [], text: call, notes: ['echo', 'usage_estimated'] })
})

test.each(['as words', 'as a thought'])('what the model copies %s is as it was', (how) => {
  const hermes = findDialect('hermes')
  if (hermes === undefined) throw new Error('no such dialect')
  const file = 'x <tool_call> \u2060 </think> \u2060\u2060<\u2060tool_call> y'
  const { shown, hear } = turnAfter(file, hermes)
  expect(shown).not.toContain('<tool_call>')
  const { text, reasoning } = hear(how === 'as words' ? shown : `<think>${shown}</think>Done.`, 1)
  expect(how === 'as words' ? text : reasoning).toBe(file)
})
