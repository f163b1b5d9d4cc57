import { expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import type { Message } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { createVoice } from '../../src/turn/hear.ts'
import { createRehearsalUpstream } from '../../src/upstreams/rehearsal/rehearsal.ts'
import { collect, context, fold, toRequest, turnsOver } from './scripted.ts'

const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'get_weather',
    description: 'Current weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  {
    kind: 'function',
    name: 'read',
    description: 'Read a file',
    parameters: { type: 'object', properties: { filePath: { type: 'string' } }, required: ['filePath'] },
  },
]

test.each(dialects.map(({ name }) => name))(
  'a model that knows nothing of tools learns them in %s, calls one, and hears its result',
  async (dialect) => {
    const upstream = createRehearsalUpstream({ name: 'rehearsal', voice: createVoice() })
    const turns = turnsOver(upstream, { tools: 'prompt', dialect })
    const question: Message = { role: 'user', content: 'What is the weather in Paris?' }
    const asking = fold(await collect(await turns.start(toRequest([question], { tools }), context)))
    expect(asking.finish).toBe('tool_calls')
    expect(asking.calls.map(({ name, arguments: given }) => [name, JSON.parse(given)])).toEqual([
      ['get_weather', { city: 'Paris' }],
    ])
    const messages: readonly Message[] = [
      question,
      {
        role: 'assistant',
        content: asking.text,
        calls: asking.calls.map(({ id, name, arguments: given }) => ({ id, kind: 'function', name, arguments: given })),
      },
      { role: 'tool', callId: asking.calls[0]?.id ?? '', content: '18 degrees, sunny' },
    ]
    const answering = fold(await collect(await turns.start(toRequest(messages, { tools }), context)))
    expect(answering).toMatchObject({ calls: [], finish: 'stop' })
    expect(answering.text).toContain('18 degrees, sunny')
    expect(answering.text).not.toMatch(/tool_response|tool_result|Tool Result/)
  },
)
