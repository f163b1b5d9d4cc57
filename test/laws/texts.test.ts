import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Dialect, hasFaintMarks, hasNameMarks } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { fold } from '../../src/protocol/fold.ts'
import { babble, plain, someTools } from './arbitraries.ts'
import { check, timeout } from './check.ts'
import { cut, hear, listen } from './hear.ts'
import { localise, marksOf } from './marks.ts'
import { assertSteady } from './steady.ts'

/** Laws about any text, for every dialect: marks in any order, half calls, code, prose. */
describe.each(dialects)('$name', { timeout }, (dialect) => {
  test('no text is refused, however it was cut', () => {
    check(dialect, babble, ({ text, sizes }) => {
      const said = localise(text, dialect)
      deepEqual(hear(dialect, someTools, cut(said, sizes)), hear(dialect, someTools, [said]))
    })
  })

  test('whatever is said, arguments are JSON and nothing is taken back', () => {
    check(dialect, babble, ({ text, sizes }) => {
      const pieces = cut(localise(text, dialect), sizes)
      assertSteady(listen(dialect, someTools, pieces, { how: sizes.length > 3 ? 'length' : 'stop' }))
    })
  })

  test('an answer without a call keeps every word, in order', () => {
    check(dialect, babble, ({ text, sizes }) => {
      const said = localise(text, dialect)
      const events = listen(dialect, someTools, cut(said, sizes)).flat()
      if (events.some(({ type }) => type === 'call-end')) return
      const { content, reasoning } = fold(events)
      const kept = [...wordsIn(content), ...wordsIn(reasoning)]
      if (reasoning === '') deepEqual(kept, wordsIn(said))
      else deepEqual(kept.toSorted(), wordsIn(said).toSorted())
    })
  })

  test('plain text passes unchanged', () => {
    const marks = armed(dialect)
    check(dialect, plain, ({ text, sizes }) => {
      if (marks.some((mark) => text.includes(mark))) return
      const { content, calls, finish, notes } = hear(dialect, someTools, cut(text, sizes))
      deepEqual({ content, calls, finish, notes }, { content: text, calls: [], finish: 'stop', notes: [] })
    })
  })
})

function wordsIn(text: string): readonly string[] {
  return text.match(/word\d+/g) ?? []
}

/** What would not be plain text to this dialect's reader: its own marks, and all that are unmistakable. */
function armed(dialect: Dialect): readonly string[] {
  const others = dialects.filter(({ grammar }) => !hasFaintMarks(grammar) && !hasNameMarks(grammar))
  return [...new Set([dialect, ...others].flatMap(marksOf))]
}
