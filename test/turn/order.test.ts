import { expect, test } from 'vitest'
import { hasFaintMarks } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { createReader } from '../../src/engine/reader.ts'
import type { Event } from '../../src/protocol/event.ts'
import { type Spoken, textOf } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { openGuard } from '../../src/turn/prompt/guard/guard.ts'
import { printHistory } from '../../src/turn/prompt/history/history.ts'

const tool: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const call = (path: string): Spoken => ({
  type: 'call',
  call: { id: `call_${path}`, kind: 'function', name: 'read', arguments: JSON.stringify({ path }) },
})
const says = (text: string): Spoken => ({ type: 'text', text })
const answer = [says('First one.'), call('a'), says('Then two.'), call('b'), call('c')]

/** What was said and called, in order, in short. */
function outline(events: readonly Event[]): readonly string[] {
  const said: string[] = []
  let wasText = false
  let json = ''
  for (const event of events) {
    if (event.type === 'text-delta' && event.text.trim() !== '') {
      const words = event.text.trim().replace(/\s+/g, ' ')
      if (wasText) said.push(`${said.pop()} ${words}`)
      else said.push(words)
      wasText = true
    } else if (event.type === 'call-delta') json += event.json
    else if (event.type === 'call-end') {
      wasText = false
      said.push(JSON.parse(json).path)
      json = ''
    }
  }
  return said
}

test.each(dialects)('history told in $name reads back in its order', (dialect) => {
  const [told] = printHistory({ messages: [{ role: 'assistant', content: answer }], tools: [tool] }, dialect, openGuard)
  const text = textOf(told?.content ?? '')
  const reader = createReader({ dialect, others: dialects, tools: [tool], parallel: true, newId: () => 'id' })
  const heard = outline([...reader.push(text), ...reader.end('stop')])
  // In marks that are ordinary text, calls are calls only where no words follow: there they come last.
  const isFaint = hasFaintMarks(dialect.grammar)
  const order = isFaint ? ['First one. Then two.', 'a', 'b', 'c'] : ['First one.', 'a', 'Then two.', 'b', 'c']
  expect(heard, text).toEqual(order)
})
