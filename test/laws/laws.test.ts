import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Dialect, hasFaintMarks } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { fold } from '../../src/protocol/fold.ts'
import { type Speech, speak, speeches } from './arbitraries.ts'
import { check, timeout } from './check.ts'
import { cut, type Ending, hear, listen, toPlain } from './hear.ts'
import { assertSteady } from './steady.ts'

/**
 * Laws about calls, for every dialect: whatever a speaker of it says is understood, however it arrives. Plain assertions,
 * because a million of vitest's own cost more than all the reading.
 */
describe.each(dialects)('$name', { timeout }, (dialect) => {
  test('what was printed is read back', () => {
    check(dialect, speeches, (speech) => {
      const { calls, tools, text } = speak(dialect, speech)
      const answer = hear(dialect, tools, [text])
      deepEqual(toPlain(answer.calls), toPlain(calls))
      deepEqual([answer.content, answer.reasoning, answer.finish], ['', '', 'tool_calls'])
    })
  })

  test('how the text was cut does not matter', () => {
    check(dialect, speeches, (speech) => {
      const { tools, text } = sayAll(dialect, speech)
      deepEqual(hear(dialect, tools, cut(text, speech.sizes)), hear(dialect, tools, [text]))
    })
  })

  test('arguments are at every moment a prefix of JSON, and nothing said is taken back', () => {
    check(dialect, speeches, (speech) => {
      const { tools, text } = sayAll(dialect, speech)
      const whole = cut(text, speech.sizes)
      const pieces = speech.cutAt < 0.5 ? whole : whole.slice(0, Math.floor(speech.cutAt * whole.length))
      assertSteady(listen(dialect, tools, pieces, { how: speech.cutAt < 0.75 ? 'stop' : 'length' }))
    })
  })

  test('words around calls stay, and no mark leaks into them', () => {
    check(dialect, speeches, (speech) => {
      const { tools, text, words } = sayAll(dialect, speech)
      const { content, calls } = hear(dialect, tools, cut(text, speech.sizes), { parallel: true })
      if (isExample(dialect, speech)) return equal(content.trimEnd(), text.trimEnd())
      deepEqual(content.split(/\s+/).filter(Boolean), words)
      equal(calls.length, tools.length)
    })
  })

  test('a call that was cut off is never completed', () => {
    check(dialect, speeches, (speech) => {
      const { calls, tools, text } = speak(dialect, speech)
      const pieces = cut(text.slice(0, Math.floor(speech.cutAt * text.length)), speech.sizes)
      for (const how of ['length', 'died'] satisfies Ending[]) {
        const events = listen(dialect, tools, pieces, { how }).flat()
        const answer = fold(events)
        deepEqual(toPlain(answer.calls), toPlain(calls.slice(0, answer.calls.length)))
        const isOpen = events.some(({ type }) => type === 'call-error')
        if (how === 'died') equal(answer.finish, undefined)
        else if (isOpen || answer.calls.length === 0) equal(answer.finish, 'length')
      }
    })
  })

  test('what stands in the request is repeated, not called', () => {
    check(dialect, speeches, (speech) => {
      const { calls, tools, text } = speak(dialect, speech)
      const known = new Set(toPlain(calls))
      const quoted = {
        mayHave: (name: string) => calls.some((call) => call.name === name),
        has: (name: string, json: string) => known.has(toPlain([{ name, arguments: json }]).join()),
      }
      const answer = hear(dialect, tools, cut(`It says:\n${text}`, speech.sizes), { quoted })
      deepEqual(answer.calls, [])
      equal(answer.content.replace(/\s/g, ''), `It says:\n${text}`.replace(/\s/g, ''))
    })
  })
})

/** Calls in marks that are ordinary text, with words on both sides, only show how a call looks. */
function isExample({ grammar, name }: Dialect, { before, after }: Speech): boolean {
  return hasFaintMarks(grammar) && !inTwoParts.includes(name) && before !== '' && after !== ''
}

const inTwoParts = ['react', 'command-r-plus', 'functionary-v3.2', 'llama4-pythonic']

/** The calls with the words around them, on lines of their own. */
function sayAll(dialect: Dialect, speech: Speech) {
  const spoken = speak(dialect, speech)
  const text = `${speech.before}${speech.before === '' ? '' : '\n\n'}${spoken.text}${speech.after === '' ? '' : '\n\n'}${speech.after}`
  const words = `${speech.before} ${speech.after}`.split(/\s+/).filter(Boolean)
  return { ...spoken, text, words }
}
