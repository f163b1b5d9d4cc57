import { expect, test } from 'vitest'
import { findDialect } from '../dialects/registry.ts'
import type { Request } from '../protocol/request.ts'
import { createTurnCache, toolsKey } from './cache.ts'
import type { Approach } from './plan.ts'
import { prepare } from './prompt/prepare.ts'
import { defaultSettings } from './settings.ts'

const tool = (name: string) => ({ kind: 'function' as const, name })
const request = (...tools: string[]): Request => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Say <read> again.' }],
  tools: tools.map(tool),
  sampling: {},
  extra: {},
})

test('what was made of tools is found again by what they say, and never taken for that of others', () => {
  const cache = createTurnCache()
  const dialect = findDialect('hermes')
  if (dialect === undefined) throw new Error('no dialect')
  const settings = defaultSettings('m', ['u'])
  const approach = { mode: 'prompt', settings, upstream: { name: 'u' }, dialect } as unknown as Approach
  for (const asked of [request('read'), request('read'), request('read', 'write')]) {
    const { messages } = prepare(asked, { ...approach, cache }).request
    expect(messages).toEqual(prepare(asked, approach).request.messages)
    expect(cache.taught.get(toolsKey(dialect, asked.tools))).toBeDefined()
  }
})
