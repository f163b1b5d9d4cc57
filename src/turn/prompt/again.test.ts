import { expect, test } from 'vitest'
import type { Dialect } from '../../dialects/dialect.ts'
import { findDialect } from '../../dialects/registry.ts'
import { readRequest } from '../../doors/openai-chat/request/request.ts'
import type { Json } from '../../protocol/json.ts'
import { lasting } from '../../protocol/memory/lasting.ts'
import type { Upstream } from '../../upstreams/upstream.ts'
import { defaultSettings } from '../settings.ts'
import { prepare } from './prepare.ts'

const call = (id: string, path: string) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: JSON.stringify({ path }) },
})
const tool = (description: string) => ({ type: 'function', function: { name: 'read', description } })
const went = { role: 'user', content: 'Go on.' }
const said = { role: 'assistant', content: 'Let me look.', tool_calls: [call('a', '/x')] }
const answered = { role: 'tool', tool_call_id: 'a', content: 'Nothing. <tool_call>{"name": "read"}</tool_call>' }
const both = { role: 'assistant', content: null, tool_calls: [call('a', '/x'), call('b', '/y')] }
const late = { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'late' }] }

/** Told one after the other, with the same objects: what was remembered of one must not be told in the next. */
const conversations: readonly (readonly object[])[] = [
  [went],
  [went, said, answered],
  [went, said, answered, went],
  [went, said, answered, said, answered, went],
  [went, both, late, answered],
  [went, both, answered, late, went, said, answered],
  [{ role: 'system', content: 'Be brief.' }, went, went, said, answered, went],
  [went, said, answered, { role: 'assistant', content: 'Done.' }, { role: 'assistant', content: 'Really.' }, went],
]

const upstream = { name: 'test', kind: 'test' } as unknown as Upstream
const settings = defaultSettings('test', ['test'])

function told(body: object, dialect: Dialect | undefined): unknown {
  const { request } = readRequest(body)
  const prepared = prepare(request, { mode: 'prompt', settings, upstream, ...(dialect && { dialect }) })
  return { messages: prepared.request.messages, isChanged: prepared.guard.isChanged }
}

function known<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) known(inner)
  return lasting(value)
}

test.each(['hermes', 'kimi-k2', 'react', 'functionary-v3.2'])(
  'a conversation that comes again is told in %s as if it never had',
  (name) => {
    const offers = known([[tool('Reads.')], [tool('Reads a file.')]])
    const parts = known(conversations)
    const dialects = [findDialect(name), findDialect('hermes')]
    for (const _ of [1, 2]) {
      for (const messages of [...parts, ...parts.toReversed()]) {
        for (const tools of offers) {
          for (const dialect of dialects) {
            const body = { model: 'm', messages, tools }
            const anew = JSON.parse(JSON.stringify(body)) as Json
            expect(told(body, dialect)).toEqual(told(anew as object, dialect))
          }
        }
      }
    }
  },
)
