import fc from 'fast-check'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { type PrintedCall, printCalls } from '../../src/engine/print.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { localise, standIns } from './marks.ts'

/** An argument's value, before it is made for a dialect. Numbers are lexemes: their digits must survive. */
type Value =
  | { readonly type: 'string'; readonly text: string; readonly nullable: boolean }
  | { readonly type: 'integer' | 'number' | 'boolean' | 'null'; readonly lexeme: string }
  | { readonly type: 'array'; readonly items: readonly Value[] }
  | { readonly type: 'object'; readonly members: readonly (readonly [string, Value])[] }

type Members = Extract<Value, { type: 'object' }>

/** Calls with words around them, and how the text that says so arrives. */
export interface Speech {
  readonly calls: readonly Members[]
  readonly before: string
  readonly after: string
  /** Sizes of the pieces, over and over. */
  readonly sizes: readonly number[]
  /** Where an answer breaks off, as a share of the text. */
  readonly cutAt: number
}

const spaces = ['\n', '\r\n', '\r', ' ', '\t', '  \n', '\u0000', '\u2028', '\ufeff']
const letters = ['🙂', '\ud83d', '\ude00', 'é', '字']
const signs = '" \' ` ``` \\ \\n \\u00e9 \\" { } [ ] , : ( ) = | < > "quoted" ""'.split(' ')
const values = 'true null None 12 1.0 {"a":1} [1,2] {"name":"set_lamp","arguments":{}}'.split(' ')
const tags = '<item> </item> </div> <br/> &amp; <![CDATA[ ]]> <!-- <think> </think> <path> </path>'.split(' ')
const lines = [
  '```json\n',
  "if (a < b && c > d) print('e')\n",
  '# title\n',
  '- key: value\n',
  'Action: x\n',
  'words here',
]
const awkward = fc.constantFrom(...spaces, ...letters, ...signs, ...values, ...tags, ...lines)
const text = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(fc.oneof(awkward, fc.constantFrom(...standIns)), { maxLength: 5 })
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
)
const key = fc.constantFrom(...'path content value x-y from class name arguments item __proto__ constructor'.split(' '))
const innerKey = fc.oneof(key, fc.constantFrom('', 'a b', '"', '<k>', '0', 'é', "it's", '{'))

const leaf = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('string' as const), text, nullable: fc.boolean() }) },
  lexemes('integer', '0', '7', '-3', '9007199254740993', '-123456789012345678901234567890'),
  lexemes('number', '1.5', '-0.25', '1.0', '1e5', '2.5E-400', '0.1000000000000000055511151231257827'),
  lexemes('boolean', 'true', 'false'),
  lexemes('null', 'null'),
)

function lexemes(type: 'integer' | 'number' | 'boolean' | 'null', ...list: readonly string[]) {
  return fc.constantFrom(...list).map((lexeme) => ({ type, lexeme }))
}

const { value } = fc.letrec<{ value: Value; array: Value; object: Value }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: 'small' }, { weight: 4, arbitrary: leaf }, tie('array'), tie('object')),
  array: fc.array(tie('value'), { maxLength: 3 }).map((items) => ({ type: 'array' as const, items })),
  object: membersBy(innerKey, tie('value')),
}))

function membersBy(keys: fc.Arbitrary<string>, values: fc.Arbitrary<Value>): fc.Arbitrary<Members> {
  return fc
    .uniqueArray(fc.tuple(keys, values), { selector: ([own]) => own, maxLength: 3 })
    .map((members) => ({ type: 'object' as const, members }))
}

/** One character at a time is the hardest cutting, so it gets a share of its own. */
const sizes = fc.oneof(fc.constant([1]), fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 }))

const prose = fc.constantFrom('', 'Let me see.', 'On it!\n\n', ' First, 2 things\nand more. ', 'Ünï 🙂 done.\r\n')

export const speeches: fc.Arbitrary<Speech> = fc.record({
  calls: fc.array(membersBy(key, value), { minLength: 1, maxLength: 2 }),
  before: prose,
  after: prose,
  sizes,
  cutAt: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
})

/** Anything a model stuck in a loop or quoting a manual might say, and how it arrives. */
export interface Babble {
  readonly text: string
  readonly sizes: readonly number[]
}

const pieces = ['set_lamp', 'read_file', 'room', '{"name": "set_lamp", "arguments": {', '"room": "den"', '}}', '}']
const fragment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...standIns) },
  { weight: 2, arbitrary: fc.constantFrom(...pieces) },
  { weight: 2, arbitrary: awkward },
  { weight: 3, arbitrary: fc.nat(999).map((n) => ` word${n} `) },
)

export const babble: fc.Arbitrary<Babble> = fc.record({
  text: fc.array(fragment, { minLength: 1, maxLength: 14 }).map((parts) => parts.join('')),
  sizes,
})

const proseParts = [
  'a',
  ' b',
  '\n',
  ' ',
  'x < y',
  '<',
  '<a',
  '</',
  '>',
  '[',
  '] ',
  '| ',
  '🙂',
  '.',
  '\t',
  '(1)',
  "it's ",
]

/** Words and signs of prose, some of which begin marks. */
export const plain: fc.Arbitrary<Babble> = fc.record({
  text: fc.array(fc.constantFrom(...proseParts), { maxLength: 24 }).map((parts) => parts.join('')),
  sizes,
})

const names = ['set_lamp', 'mcp__files-list']

/** Tools that babble may name. */
export const someTools: readonly Tool[] = [
  { kind: 'function', name: 'set_lamp', parameters: { type: 'object', properties: { room: { type: 'string' } } } },
  {
    kind: 'function',
    name: 'read_file',
    parameters: { type: 'object', properties: { path: { type: 'string' }, from: { type: 'integer' } } },
  },
]

export interface Spoken {
  readonly calls: readonly PrintedCall[]
  readonly tools: readonly Tool[]
  /** The calls as the dialect writes them. */
  readonly text: string
}

/** A speech as a speaker of this dialect makes it: every call to a tool of its own, whose schema declares its arguments. */
export function speak(dialect: Dialect, speech: Speech): Spoken {
  const made = dialect.grammar.single === true ? speech.calls.slice(0, 1) : speech.calls
  const tools = made.map((members, index): Tool => {
    return { kind: 'function', name: names[index] ?? '', parameters: toSchema(members) }
  })
  const calls = made.map((members, index) => {
    return { id: `call_${index}`, name: names[index] ?? '', arguments: toJson(members, dialect) }
  })
  return { calls, tools, text: printCalls(dialect, calls, tools) }
}

function toJson(value: Value, dialect: Dialect): string {
  switch (value.type) {
    case 'string':
      return JSON.stringify(localise(value.text, dialect))
    case 'array':
      return `[${value.items.map((item) => toJson(item, dialect)).join(', ')}]`
    case 'object':
      return `{${value.members.map(([own, member]) => `${JSON.stringify(own)}: ${toJson(member, dialect)}`).join(', ')}}`
    default:
      return value.lexeme
  }
}

function toSchema(value: Value): JsonObject {
  if (value.type === 'string') return { type: value.nullable ? ['string', 'null'] : 'string' }
  if (value.type !== 'object') return { type: value.type }
  const properties = Object.fromEntries(value.members.map(([own, member]) => [own, toSchema(member)]))
  return { type: 'object', properties, required: value.members.map(([own]) => own) }
}
