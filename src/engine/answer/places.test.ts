import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

const marked = '<tool_call>{"name": "ping"}</tool_call>'
const bare = '{"name": "ping", "arguments": {}}'

/** What stands right before a quoted call: a quotation mark, the sign of a quoted line, or a cell of a table. */
const quoting = ['> ', 'x\n> ', 'x\n  > ', '> a\n> ', '| ', '| a | ', 'x\n| ', 'x\n| a | ', '“', '„', '«', '「']
const marks = ['"', "'", '("', 'a "', 'x\n"', ':"', '="', ',"', '|"', '{"', '["']

test.each([...quoting, ...marks])('a call after %j is quoted, and text', (before) => {
  expect(hear('hermes', before + marked)).toMatchObject({ calls: [], text: before + marked, notes: ['example'] })
})

test.each(['> a ', 'x\n>\n', 'a\n> b\n', 'a | ', '|a ', 'a"', '" ', 'x\n'])('a call after %j is made', (before) => {
  expect(hear('hermes', before + marked)).toMatchObject({ calls: ['ping {}'], text: before.trimEnd(), notes: [] })
})

test.each(['a: ', 'a. ', 'a; ', 'a! ', 'a? ', 'a\n'])('JSON after %j stands where calls do', (before) => {
  expect(hear('json-bare', before + bare)).toMatchObject({ calls: ['ping {}'], text: before.trimEnd(), notes: [] })
  const heard = hear('hermes', before + bare)
  expect(heard).toMatchObject({ calls: ['ping {}'], text: before.trimEnd(), notes: ['call_unmarked'] })
})

test.each(['a ', 'a* ', 'a- ', '* ', '是', '是 ', 'a.', 'a!', 'a?'])(
  'JSON after %j ends a sentence, and is a call if it fits',
  (before) => {
    for (const dialect of ['hermes', 'json-bare']) {
      const heard = hear(dialect, before + bare)
      expect(heard).toMatchObject({ calls: ['ping {}'], text: before.trimEnd(), notes: ['call_unmarked'] })
    }
  },
)

test.each(['a', 'a:', 'a, ', '"a": ', "'a': ", '(', '( ', 'a) '])('JSON after %j is text', (before) => {
  for (const dialect of ['hermes', 'json-bare'])
    expect(hear(dialect, before + bare)).toMatchObject({ calls: [], text: before + bare, notes: [] })
})

test('what was held back leaves nothing behind: a call after an example stands as if nothing had been tried', () => {
  const example = `Like so:\n\`\`\`\n${marked}\n\`\`\`\n> `
  expect(hear('hermes', `${example}${marked}`)).toMatchObject({ calls: [], text: `${example}${marked}` })
  expect(hear('hermes', `${example}\n${marked}`)).toMatchObject({ calls: ['ping {}'], text: example.trimEnd() })
})
