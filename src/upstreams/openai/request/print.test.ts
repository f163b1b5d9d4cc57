import { expect, test } from 'vitest'
import { lasting } from '../../../protocol/memory/lasting.ts'
import { printBody } from './print.ts'

const kept = lasting({ role: 'user', content: 'größe "…" \u2028' })
const tools = lasting([{ type: 'function', function: { name: 'run' } }])

test.each([
  ['nothing', {}],
  [
    'messages that come again, among others that do not',
    { model: 'm', messages: [kept, { role: 'x' }, kept, kept], n: 1 },
  ],
  ['messages that come again, first and last', { messages: [kept, 1, kept] }],
  ['no messages', { messages: [], tools }],
  ['messages that are none', { messages: 'all of them' }],
  ['tools that come again', { tools, messages: [kept], tool_choice: 'auto' }],
  ['odd names', { '"\\ü': kept, messages: [[kept]] }],
])('%s: the bytes are those of the JSON, the second time as well', (_, body) => {
  for (const _time of [1, 2]) expect(new TextDecoder().decode(printBody(body))).toBe(JSON.stringify(body))
})
