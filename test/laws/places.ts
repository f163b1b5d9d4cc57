import type { Dialect } from '../../src/dialects/dialect.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { marksOf } from './marks.ts'

/** Where in an answer something stands: what was said before it. */
export interface Place {
  readonly name: string
  readonly before: string
}

export const toolName = 'read_file'

/** A value of every kind, for every way of reading one. */
export const hostileTools: readonly Tool[] = [
  {
    kind: 'function',
    name: toolName,
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        from: { type: 'integer' },
        lines: { type: 'array', items: { type: 'string' } },
        options: { type: 'object', properties: { deep: { type: 'boolean' }, note: { type: 'string' } } },
      },
    },
  },
  { kind: 'function', name: 'set_lamp', parameters: { type: 'object', properties: { room: { type: 'string' } } } },
]

export const atStart: Place = { name: 'at the start', before: '' }
export const inThought: Place = { name: 'in a thought', before: '<think>\n' }
export const inFence: Place = { name: 'in a fence', before: 'Some text.\n```\n' }
export const inCode: Place = { name: 'in inline code', before: 'Some text: `' }

const sentinel = 'SENTINEL'

/** A call as the dialect writes it. */
export function callOf(dialect: Dialect, json = '{"path": "a.txt", "from": 3}'): string {
  return printCalls(dialect, [{ id: 'call_1', name: toolName, arguments: json }], hostileTools)
}

/** Inside a string, another value, a key, the tool's name. */
export function placesInCall(dialect: Dialect): readonly Place[] {
  return [
    { name: 'in a string', before: upTo(callOf(dialect, `{"path": "${sentinel}"}`), sentinel) },
    { name: 'in a list', before: upTo(callOf(dialect, `{"lines": ["${sentinel}"]}`), sentinel) },
    { name: 'in an object', before: upTo(callOf(dialect, `{"options": {"note": "${sentinel}"}}`), sentinel) },
    { name: 'in a number', before: upTo(callOf(dialect, '{"from": 77}'), '77') },
    { name: 'in a key', before: upTo(callOf(dialect, `{"${sentinel}": 1}`), sentinel) },
    { name: 'in a name', before: upTo(callOf(dialect), toolName) },
  ]
}

/** Inside a thought, as this dialect opens one. */
export function placesInThought(dialect: Dialect): readonly Place[] {
  const openers = dialect.reasoning?.flatMap(({ open }) => open.slice(0, 1)) ?? []
  return [inThought, ...openers.map((open) => ({ name: `after ${open}`, before: `${open}\n` }))]
}

/** The two parts of a call at every seam: around its marks, its words, its signs. */
export function seamsOf(dialect: Dialect): readonly (readonly [before: string, after: string])[] {
  const call = callOf(dialect)
  const marks = marksOf(dialect).toSorted((a, b) => b.length - a.length)
  const seams: [string, string][] = []
  for (let at = 0; at < call.length; ) {
    const rest = call.slice(at)
    const mark = marks.find((literal) => rest.startsWith(literal)) ?? /^(?:\w+|\s+|[^\w\s])/u.exec(rest)?.[0] ?? rest
    at += mark.length
    if (mark.trim() !== '') seams.push([call.slice(0, at), call.slice(at)])
  }
  return seams
}

function upTo(text: string, word: string): string {
  return text.slice(0, Math.max(0, text.indexOf(word)))
}
