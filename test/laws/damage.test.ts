import { deepEqual, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { check, timeout } from './check.ts'
import { cut, hear, toPlain } from './hear.ts'
import { localise, marksOf, standIns } from './marks.ts'

const text = { type: 'string' }
const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'edit_file',
    parameters: {
      type: 'object',
      properties: { path: text, content: text, mode: text, line: { type: 'integer' } },
      required: ['path'],
    },
  },
  { kind: 'function', name: 'ping', parameters: { type: 'object', properties: { host: text } } },
]

/** In generated values this stands for a whole call, as the dialect writes it. */
const quoted = '⊕'

/** What values are made of: marks of the dialect, closers of other things, the tool's parameters in tags, quoted calls. */
const parts = [
  'a',
  ' b',
  '\n',
  '"',
  "'",
  '{',
  '}',
  ', ',
  ': ',
  '</div>',
  '</dependency>\n  ',
  '<path>',
  '</path>',
  '<content>x</content>',
  '</content>',
  '"mode": ',
  '", "content": "',
  'mode=',
  'print("x")',
  '{"k": {"n": "v"}}',
  '⑴',
  quoted,
]
const value = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...parts) }, fc.constantFrom(...standIns)), { maxLength: 5 })
  .map((list) => list.join(''))
const call = fc.record({ path: value, content: value, mode: value, line: fc.nat(99) }, { requiredKeys: ['path'] })
const samples = fc.record({
  call,
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  damage: fc.constantFrom('drop', 'double', 'alter'),
  instead: fc.constantFrom('"', "'", ',', ':', ';', '<', '', ' '),
  sizes: fc.oneof(fc.constant([1]), fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 })),
})
type Sample = ReturnType<(typeof samples)['generate']>['value']

/** What says that a call was not read as its dialect writes it. */
const repairs = [
  'closer_missing',
  'closer_wrong',
  'closer_quoted',
  'json_repaired',
  'arguments_repaired',
  'call_ambiguous',
]

/** Laws about calls as their dialect writes them, which are read by its grammar alone, and such as are not: the exact call, or none. */
describe.each(dialects)('$name', { timeout }, (dialect) => {
  test('values of any text are read back', () => {
    check(dialect, samples, ({ call, sizes }) => {
      const { text, plain } = print(dialect, call)
      for (const pieces of [[text], cut(text, sizes)]) {
        const { calls, notes } = hear(dialect, tools, pieces, { parallel: true })
        const heard = toPlain(calls)
        ok(heard.length === 1 && heard[0] === plain, `${text}\n${heard.join('\n')}`)
        deepEqual(
          notes.map(({ kind }) => kind).filter((kind) => repairs.includes(kind)),
          [],
        )
      }
    })
  })

  test('a value that stands as it is between its tags is read to the letter, or the call is text', () => {
    check(dialect, samples, ({ call, sizes }) => {
      const { text, plain } = printRaw(dialect, call)
      if (text !== '') assertNoOther(dialect, text, plain, sizes)
    })
  })

  test('one sign or mark that is lost, doubled or another makes no other call', () => {
    check(dialect, samples, ({ call, at, damage, instead, sizes }) => {
      const { text, plain, values } = print(dialect, call)
      const tokens = tokensOf(dialect, text, values)
      const token = tokens[Math.floor(at * tokens.length)]
      if (token === undefined || (damage === 'double' && mayBegin(dialect, token.text))) return
      // Without what opens it there is no call, and what it quotes stands in words.
      if (token.at <= text.indexOf('edit_file') + 'edit_file'.length && JSON.stringify(call).includes(quoted)) return
      const other = damage === 'drop' ? '' : damage === 'double' ? token.text + token.text : instead
      const broken = text.slice(0, token.at) + other + text.slice(token.at + token.text.length)
      assertNoOther(dialect, broken, plain, sizes)
    })
  })

  test('a call that breaks off is not made, unless all it lacks are closers', () => {
    check(dialect, samples, ({ call, at, sizes }) => {
      const { text, plain } = print(dialect, call)
      const broken = text.slice(0, Math.floor(at * text.length))
      const whole = JSON.parse(plain.slice(plain.indexOf(' '))) as object
      for (const pieces of [[broken], cut(broken, sizes)]) {
        for (const { name, arguments: json } of hear(dialect, tools, pieces, { parallel: true }).calls) {
          const made = Object.entries(JSON.parse(json) as object)
          const isPart = made.every(([key, own]) => own === (whole as Record<string, unknown>)[key])
          ok(name === 'edit_file' && isPart, `${broken}\n${json}`)
        }
      }
    })
  })
})

function assertNoOther(dialect: Dialect, broken: string, plain: string, sizes: readonly number[]): void {
  const [whole, pieces] = [[broken], cut(broken, sizes)].map((said) =>
    toPlain(hear(dialect, tools, said, { parallel: true }).calls),
  ) as [readonly string[], readonly string[]]
  ok(
    // Without its outer mark a call may be one in another form, which has no blanks at the ends of its values.
    whole.every((one) => one === plain || withoutBlanks(one) === withoutBlanks(plain)),
    `${broken}\n${whole.join('\n')}`,
  )
  ok(whole.join() === pieces.join(), `${broken}\nwhole: ${whole.join()}\nin pieces: ${pieces.join()}`)
}

function withoutBlanks(plain: string): string {
  const [name = '', json = ''] = plain.split(/ (.*)/s)
  return `${name} ${JSON.stringify(JSON.parse(json), (_, own) => (typeof own === 'string' ? own.trim() : own))}`
}

/** Whether a value may begin with what opens it. */
function mayBegin({ grammar: { arguments: spec } }: Dialect, mark: string): boolean {
  return spec.as === 'tagged' && spec.open.endsWith(mark)
}

function valuesOf(dialect: Dialect, call: Sample['call']): Readonly<Record<string, string | number>> {
  const inner = printCalls(dialect, [{ id: 'call_2', name: 'ping', arguments: '{"host": "a"}' }], tools)
  return Object.fromEntries(
    Object.entries(call).map(([key, own]) => [
      key,
      typeof own === 'string' ? localise(own, dialect).replaceAll(quoted, inner) : own,
    ]),
  )
}

/** A call whose values stand between their tags with nothing done to them; empty where they hold what ends or hides them. */
function printRaw(dialect: Dialect, call: Sample['call']): { readonly text: string; readonly plain: string } {
  const { arguments: spec } = dialect.grammar
  const values = Object.entries(valuesOf(dialect, call))
  const endings =
    spec.as !== 'tagged' ? [] : [spec, ...(spec.also ?? [])].map(({ close }) => close.replace(/\{key\}>$/, ''))
  const isOpen = values.some(([, own]) => ['<![CDATA[', ...endings].some((mark) => String(own).includes(mark)))
  if (spec.as !== 'tagged' || spec.entities === true || isOpen) return { text: '', plain: '' }
  const names = values.map(([key, own], i) => [key, typeof own === 'string' ? `value-${i}-` : own])
  const [text = '', plain = ''] = [names, values].map((members) => {
    const json = JSON.stringify(Object.fromEntries(members))
    return members === names
      ? printCalls(dialect, [{ id: 'call_1', name: 'edit_file', arguments: json }], tools)
      : toPlain([{ name: 'edit_file', arguments: json }])[0]
  })
  return { text: text.replace(/value-(\d)-/g, (_, i: string) => String(values[Number(i)]?.[1])), plain }
}

function print(dialect: Dialect, call: Sample['call']) {
  const values = valuesOf(dialect, call)
  const json = JSON.stringify(values)
  const printed = printCalls(dialect, [{ id: 'call_1', name: 'edit_file', arguments: json }], tools)
  const [plain = ''] = toPlain([{ name: 'edit_file', arguments: json }])
  return { text: printed, plain, values: Object.values(values).map(String) }
}

/** The signs and marks of a printed call that stand outside of its values. */
function tokensOf(dialect: Dialect, text: string, values: readonly string[]): readonly { text: string; at: number }[] {
  // Half a tag, twice, may be a tag and a value.
  const marks = marksOf(dialect).filter((mark) => mark.length > 2 && !/^["'>]/.test(mark))
  const isTagged = dialect.grammar.arguments.as === 'tagged'
  const signs = isTagged ? /[=]/ : /["',:;{}()[\]=]/
  const inside: [number, number][] = []
  let from = text.indexOf('edit_file') + 'edit_file'.length
  for (const one of values) {
    const spelt = [JSON.stringify(one).slice(1, -1), one].find((spelling) => text.includes(spelling, from)) ?? ''
    // Written with entities: where its signs are is not known here.
    if (spelt === '' && one !== '') return []
    const at = spelt === '' ? -1 : text.indexOf(spelt, from)
    if (at < 0) continue
    inside.push([at, at + spelt.length])
    from = at + spelt.length
  }
  const tokens: { text: string; at: number }[] = []
  for (let at = 0; at < text.length; ) {
    const around = inside.find(([start, end]) => at >= start && at < end)
    if (around !== undefined) {
      at = around[1]
      continue
    }
    const mark = marks.filter((literal) => text.startsWith(literal, at)).sort((a, b) => b.length - a.length)[0]
    const token = mark ?? (signs.test(text.charAt(at)) ? text.charAt(at) : undefined)
    if (token !== undefined) tokens.push({ text: token, at })
    at += token?.length ?? 1
  }
  return tokens
}
