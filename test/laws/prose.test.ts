import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { controlTokens, think } from '../../src/engine/marks/vocabulary.ts'
import { someTools } from './arbitraries.ts'
import { check, timeout } from './check.ts'
import { cut, hear } from './hear.ts'
import { localise, marksOf, standIns } from './marks.ts'

/**
 * Text about models, or HTML, has marks in it. A mark means something where its dialect puts it: at the ends of the
 * answer, next to a call, as the start of a thought. With words around it on its line, or in code, it is a word.
 */
const everyMark = [
  ...new Set([...dialects.flatMap(marksOf), ...think.open, ...think.close, ...controlTokens]),
  // Of tools, and such as HTML has.
  ...['<set_lamp>', '</set_lamp>', '<path>', '</path>', '<br/>', '<s>', '</s>', '<response>', '</response>'],
]
const words = fc
  .array(
    fc.constantFrom('models', 'end', 'a', 'turn', 'with', 'this', 'so', "it's", 'called', '42', 'x < y', 'naïve'),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((list) => list.join(' '))

type Shape = (before: string, one: string, between: string, other: string, after: string) => string

const shapes: readonly Shape[] = [
  (a, one, b) => `The ${a} ${one} ${b}.`,
  (a, one, b) => `The ${a} "${one}" (${b}).`,
  (a, one, b, other, c) => `The ${a} ${one} ${b} ${other} ${c}.`,
  (a, one, b, other, c) => `The ${a}${one}${b}${other}${c}, as they say.`,
  (a, one, b) => `- ${a}: ${one} ${b}`,
  (a, one, b, other, c) => `1. ${a} **${one}** ${b} ${other} ${c}`,
  (a, one, b, other, c) => `| ${a} | ${one} | ${b} | ${other} | ${c} |`,
  (a, one, b, other, c) => `> ${a} ${one} ${b} ${other} ${c}`,
  (a, one, b) => `<p>Old <s>${a}</s> new ${one} ${b}</p>`,
  (a, one, b) => `The ${a} <answer>42</answer> ${one} ${b}.`,
]
/** Marks with backticks would end these. */
const codeShapes: readonly Shape[] = [
  (a, one, b, other, c) => `Write \`${one}\` ${a} and ${b} \`${c} ${other}\` after it.`,
  (a, one, b, other, c) => `| ${a} | \`${one}\` | ${b} | \`\`${other}\`\` | ${c} |`,
  (a, one, b, other, c) => `\`\`\`\n${a} ${one} ${b}\n${other}\n${c}\n\`\`\`\nThat was ${a}.`,
  (a, one, b, other) => `\`\`\`html\n<p>${a}</p>\n${one}\n${b}\n${other}\n\`\`\`\nSo much for ${b}.`,
]
/** A thought may begin at the start of a line. */
const lineShapes: readonly Shape[] = [
  (a, one, b) => `${one} ${a} ${b}.`,
  (a, one, b, other, c) => `${one} ${a} ${other} ${b} ${c}.`,
]
/** Next to each other; the openers and closers of sections would be empty ones. */
const adjacentShapes: readonly Shape[] = [
  (a, one, b, other) => `The ${a} ${one} ${other} ${b}.`,
  (a, one, b, other) => `The ${a} ${one}${other} ${b}.`,
]
const thoughtOpeners = [think, ...dialects.flatMap(({ reasoning }) => reasoning ?? [])].flatMap(({ open }) => open)

const marks = {
  // A stand-in is a mark of the dialect that was taught: without them those would be rare.
  any: fc.oneof(fc.constantFrom(...everyMark), fc.constantFrom(...standIns)),
  noTicks: fc.constantFrom(...everyMark.filter((mark) => !mark.includes('`'))),
  ofTurns: fc.constantFrom(
    ...controlTokens,
    ...dialects.flatMap(({ dropped = [], grammar: { frame } }) => [
      ...dropped,
      ...(frame === undefined ? [] : [...frame.open, ...frame.body, ...frame.close]),
    ]),
  ),
  noThoughts: fc.constantFrom(...everyMark.filter((mark) => !mark.includes('`') && !thoughtOpeners.includes(mark))),
}

const line = fc.oneof(
  { weight: 4, arbitrary: linesOf(shapes, marks.any) },
  { weight: 2, arbitrary: linesOf(codeShapes, marks.noTicks) },
  { weight: 1, arbitrary: linesOf(lineShapes, marks.noThoughts) },
  { weight: 1, arbitrary: linesOf(adjacentShapes, marks.ofTurns) },
)

const lastLine = fc.oneof(
  words.map((last) => `So much about ${last}.`),
  fc.tuple(marks.any, words).map(([mark, last]) => `So much about ${mark} ${last}.`),
)

const documents = fc.record({
  text: fc
    .tuple(words, fc.array(line, { minLength: 1, maxLength: 4 }), fc.constantFrom('\n', '\n\n'), lastLine)
    .map(([first, lines, space, last]) => [`About ${first}.`, ...lines, last].join(space)),
  sizes: fc.oneof(fc.constant([1]), fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 })),
})

function linesOf(list: readonly Shape[], mark: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const parts = fc.tuple(fc.constantFrom(...list), words, mark, words, mark, words)
  return parts.map(([shape, ...rest]) => shape(...rest))
}

const nobody = { name: 'none', dialect: undefined }

describe.each([nobody, ...dialects.map((dialect) => ({ name: dialect.name, dialect }))])(
  '$name',
  { timeout },
  ({ dialect }) => {
    test('prose that speaks of marks comes out byte for byte, however it was cut', () => {
      check(dialect, documents, ({ text, sizes }) => {
        const said = dialect === undefined ? text : localise(text, dialect)
        for (const pieces of [[said], cut(said, sizes)]) {
          const { content, reasoning, calls, finish } = hear(dialect, someTools, pieces)
          deepEqual({ content, reasoning, calls, finish }, { content: said, reasoning: '', calls: [], finish: 'stop' })
        }
      })
    })
  },
)
