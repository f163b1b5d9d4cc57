import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { inUsualOrder, type Message } from '../../src/protocol/message.ts'
import type { Tool, ToolChoice } from '../../src/protocol/tool.ts'
import { createRehearsalUpstream } from '../../src/rehearsal/rehearsal.ts'
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

const templates = [
  { system: true, alternate: false },
  { system: false, alternate: true },
]

describe.each(dialects.flatMap(({ name: dialect }) => templates.map((template) => ({ dialect, template }))))(
  'a model that knows nothing of tools, taught in $dialect (system: $template.system)',
  ({ dialect, template }) => {
    const start = () => {
      const upstream = createRehearsalUpstream({ name: 'rehearsal' })
      return turnsOver(upstream, { tools: 'prompt', dialect, template })
    }
    const question: Message = { role: 'user', content: 'What is the weather in Paris?' }

    test('calls a tool, and hears its result', async () => {
      const turns = start()
      const asking = fold(await collect(await turns.start(toRequest([question], { tools }), context)))
      expect(asking.finish).toBe('tool_calls')
      expect(asking.calls.map(({ name, arguments: given }) => [name, JSON.parse(given)])).toEqual([
        ['get_weather', { city: 'Paris' }],
      ])
      const calls = asking.calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }))
      const messages: readonly Message[] = [
        question,
        {
          role: 'assistant',
          content: inUsualOrder({ content: asking.text, calls: calls.map((call) => ({ ...call, kind: 'function' })) }),
        },
        { role: 'tool', callId: asking.calls[0]?.id ?? '', content: '18 degrees, sunny' },
      ]
      const answering = fold(await collect(await turns.start(toRequest(messages, { tools }), context)))
      expect(answering).toMatchObject({ calls: [], finish: 'stop' })
      expect(answering.text).toContain('18 degrees, sunny')
      expect(answering.text).not.toMatch(/tool_response|tool_result|Tool Result/)
    })

    test.each<[string, ToolChoice | undefined, readonly string[]]>([
      ['Hello.', undefined, []],
      ['Hello.', { mode: 'required' }, ['get_weather']],
      ['Hello.', { mode: 'named', name: 'read' }, ['read']],
      ['Read a.txt', { mode: 'allowed', names: ['get_weather'], required: false }, []],
    ])('asked %j with the choice %j', async (content, toolChoice, names) => {
      const request = toRequest(content, { tools, ...(toolChoice && { toolChoice }) })
      const answer = fold(await collect(await start().start(request, context)))
      expect(answer.calls.map(({ name }) => name)).toEqual(names)
      expect(answer.notes).not.toContain('tool_choice_unmet')
      // What it says back is the user's message and nothing of the teaching.
      if (names.length === 0) expect(answer.text.endsWith(` You said: ${content}`)).toBe(true)
    })
  },
)
