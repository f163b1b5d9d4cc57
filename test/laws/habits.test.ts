import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { cut, hear } from './hear.ts'

/** What models do around and to a call, in whatever dialect they speak. Each must leave the call what it is. */
interface Habit {
  readonly habit: string
  readonly say: (call: string) => string
  readonly times?: number
  readonly words?: string
  /** Dialects in which this means something else. */
  readonly not?: readonly string[]
}

/** These begin with words of their own, or with a fence: they count at the start of a line only. */
const lineBound = ['command-r-plus', 'react', 'json-fence', 'glm4-legacy']

const habits: readonly Habit[] = [
  { habit: 'says nothing else', say: (call) => call },
  { habit: 'says a sentence first', say: (call) => `On it.\n${call}`, words: 'On it.' },
  {
    habit: 'says a sentence first, on the same line',
    say: (call) => `On it. ${call}`,
    words: 'On it.',
    not: lineBound,
  },
  { habit: 'says a sentence after it', say: (call) => `${call}\nDone.`, words: 'Done.' },
  { habit: 'says a sentence after it, on the same line', say: (call) => `${call} Done.`, words: 'Done.' },
  { habit: 'thinks first', say: (call) => `<think>Which lamp?</think>\n\n${call}` },
  { habit: 'begins with empty lines', say: (call) => `\n\n  ${call}` },
  { habit: 'calls twice', say: (call) => `${call}\n${call}`, times: 2 },
  { habit: 'calls twice without a space', say: (call) => call + call, times: 2 },
  { habit: 'writes lines as Windows does', say: (call) => call.replaceAll('\n', '\r\n') },
  { habit: 'indents its lines', say: (call) => call.replaceAll('\n', '\n  ') },
  { habit: 'puts blanks between tags', say: (call) => call.replace(/>(?=<)/g, '> ') },
  { habit: 'puts the call in a fence', say: (call) => `\`\`\`\n${call.trim()}\n\`\`\`` },
  { habit: 'names a language in the fence', say: (call) => `\`\`\`xml\n${call.trim()}\n\`\`\`` },
  { habit: 'shows the end of its turn', say: (call) => `${call}<|im_end|>` },
  {
    habit: 'writes the name in another case',
    say: (call) => call.replaceAll('set_lamp', 'Set-Lamp'),
    not: ['glm4-legacy'],
  },
  {
    habit: 'forgets the last closer',
    say: (call) => call.replace(/(?:<\/[\w:.-]+>|<[|｜][^<>]*end[^<>]*[|｜]>)\s*$/, ''),
  },
]

const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'set_lamp',
    parameters: { type: 'object', properties: { room: { type: 'string' }, level: { type: 'integer' } } },
  },
]
const called = { id: 'call_1', name: 'set_lamp', arguments: '{"room":"den","level":3}' }

describe.each(dialects)('$name, when a model', (dialect: Dialect) => {
  test.each(habits.filter(({ not }) => not?.includes(dialect.name) !== true))(
    '$habit',
    ({ say, times = 1, words = '' }) => {
      const text = say(printCalls(dialect, [called], tools))
      for (const pieces of [[text], cut(text, [1]), cut(text, [7])]) {
        const { calls, content } = hear(dialect, tools, pieces, { parallel: true })
        expect(calls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual(
          Array.from({ length: times }, () => ['set_lamp', { room: 'den', level: 3 }]),
        )
        expect(content.trim()).toBe(words)
      }
    },
  )
})
