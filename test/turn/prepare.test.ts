import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { type Content, callsOf, inUsualOrder, type Message, textOf } from '../../src/protocol/message.ts'
import type { Request } from '../../src/protocol/request.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { prepare } from '../../src/turn/prompt/prepare.ts'
import { defaultSettings, type TemplateSettings } from '../../src/turn/settings.ts'
import type { UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { someSteps, someTools } from './arbitrary.ts'
import { createScripted, toRequest } from './scripted.ts'

const templates: readonly TemplateSettings[] = [
  { system: true, alternate: false },
  { system: false, alternate: true },
]

function prepared(
  request: Request,
  dialect: Dialect,
  template = templates[0],
  reminder = 'off' as 'on' | 'off' | 'auto',
): UpstreamRequest {
  const settings = { ...defaultSettings('model', ['scripted']), reminder, ...(template && { template }) }
  return prepare(request, { mode: 'prompt', settings, upstream: createScripted([]), dialect }).request
}

/** A prompt as a chat template would print it, without the mark that ends a message. */
function render({ messages }: UpstreamRequest): string {
  return messages.map(({ role, content }) => `\n<|${role}|>${textOf(content)}`).join('')
}

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
}

function dialectNamed(name: string): Dialect {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)
  return dialect
}

const hermes = dialectNamed('hermes')

describe.each(dialects.map((dialect) => ({ name: dialect.name, dialect })))('prepared in $name', ({ dialect }) => {
  test.each(templates)('a prompt that grows keeps its beginning (system $system, alternate $alternate)', (template) => {
    fc.assert(
      fc.property(someTools, someSteps, (tools, steps) => {
        let before: string | undefined
        for (let count = 1; count <= steps.length; count++) {
          const messages: readonly Message[] = [
            { role: 'system', content: 'Be kind.' },
            ...steps.slice(0, count).flat(),
          ]
          // What follows an assistant's own words is a prompt to continue them.
          const last = messages.at(-1)
          if (last?.role === 'assistant' || (last?.role === 'user' && last.content === '')) continue
          const prompt = render(prepared(toRequest(messages, { tools }), dialect, template))
          expect(prompt.startsWith(before ?? '')).toBe(true)
          before = prompt
        }
      }),
      { numRuns: 15 },
    )
  })

  test('a reminder stands at the very end, and nothing before it changes', () => {
    fc.assert(
      fc.property(someTools, someSteps, (tools, steps) => {
        const request = toRequest([{ role: 'system', content: 'Be kind.' }, ...steps.flat()], { tools })
        const [plain, reminded] = (['off', 'on'] as const).map((reminder) => {
          const { messages, reminder: line = '' } = prepared(request, dialect, templates[0], reminder)
          return { text: render({ messages } as UpstreamRequest), line, last: messages.at(-1)?.role }
        })
        expect(plain?.line).toBe('')
        if (reminded?.last !== 'user') expect(reminded?.text).toBe(plain?.text)
        else expect(reminded.text.slice(0, -reminded.line.length).trimEnd()).toBe(plain?.text.trimEnd())
      }),
      { numRuns: 15 },
    )
  })

  test.each(templates)('any conversation suits the template (system $system, alternate $alternate)', (template) => {
    fc.assert(
      fc.property(someTools, someSteps, (tools, steps) => {
        const { messages, tools: sent } = prepared(toRequest(steps.flat(), { tools }), dialect, template)
        const roles = messages.map(({ role }) => role)
        expect(sent).toEqual([])
        expect(roles).not.toContain('tool')
        expect(roles.lastIndexOf('system')).toBe(template.system ? 0 : -1)
        const spoken = roles.filter((role) => role !== 'system')
        expect(spoken.some((role, place) => role === spoken[place + 1])).toBe(false)
        if (template.alternate) expect([spoken[0], spoken.at(-1)]).toEqual(['user', 'user'])
        for (const message of messages) {
          expect(textOf(message.content)).not.toBe('')
          expect(callsOf(message)).toEqual([])
        }
      }),
      { numRuns: 15 },
    )
  })
})

test.each([
  ['asked', [], 'If a tool helps'],
  ['told a result', ['21 degrees'], 'If another call is needed'],
  ['told of an error', ['Error: no such file'], 'the corrected call'],
  ['told of an error among results', ['21 degrees', 'ENOENT: no such file'], 'the corrected call'],
])('a model that was %s is reminded accordingly: small ones do not call again by themselves', (_, results, words) => {
  const calls = results.map((_result, place) => ({
    id: `c${place}`,
    kind: 'function' as const,
    name: 'read',
    arguments: '{}',
  }))
  const messages: readonly Message[] = [
    { role: 'user', content: 'Error: is it warm?' },
    ...(calls.length > 0 ? [{ role: 'assistant' as const, content: inUsualOrder({ calls }) }] : []),
    ...results.map((content, place) => ({ role: 'tool' as const, callId: `c${place}`, content })),
  ]
  expect(prepared(toRequest(messages, { tools: [read] }), hermes, templates[0], 'auto').reminder).toContain(words)
})

test.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
  'the reminder of %s names at most the mark a call begins with, which small models do not copy as a call',
  (_, dialect) => {
    const { reminder = '' } = prepared(
      toRequest([{ role: 'user', content: 'Hi' }], { tools: [read] }),
      dialect,
      templates[0],
      'on',
    )
    expect(reminder).not.toContain('parameter_1')
    for (const { open } of dialect.reasoning ?? [])
      expect(open.some((thought) => reminder.includes(` in ${thought.slice(0, thought.indexOf('>') + 1)} and`))).toBe(
        false,
      )
  },
)

describe('the system message', () => {
  test('joins all system texts, then the tools, then what this turn asks for', () => {
    const messages: readonly Message[] = [
      { role: 'system', content: 'One.' },
      { role: 'user', content: 'Hi.' },
      { role: 'system', content: [{ type: 'text', text: 'Two.' }] },
    ]
    const plain = textOf(prepared(toRequest(messages, { tools: [read] }), hermes).messages[0]?.content ?? '')
    expect(plain.startsWith('One.\n\nTwo.\n\n')).toBe(true)
    const request = toRequest(messages, { tools: [read], toolChoice: { mode: 'required' }, parallelCalls: false })
    expect(textOf(prepared(request, hermes).messages[0]?.content ?? '')).toBe(
      `${plain}\n\nYour next answer must call a tool. Call at most one tool in an answer.`,
    )
  })

  test.each<[Request['toolChoice'], string]>([
    [{ mode: 'named', name: 'read' }, 'Your next answer must call the tool read and no other tool.'],
    [{ mode: 'allowed', required: false, names: ['read', 'write'] }, 'For now, use only these tools: read, write.'],
    [
      { mode: 'allowed', required: true, names: ['read'] },
      'For now, use only these tools: read. Your next answer must call one of them.',
    ],
  ])('says a choice in words: %j', (toolChoice, words) => {
    const request = toRequest('Hi.', { tools: [read], ...(toolChoice && { toolChoice }) })
    expect(textOf(prepared(request, hermes).messages[0]?.content ?? '').endsWith(`\n\n${words}`)).toBe(true)
  })
})

describe('the history', () => {
  const call = (id: string, path: string) =>
    ({ id, kind: 'function', name: 'read', arguments: JSON.stringify({ path }) }) as const
  const tell = (messages: readonly Message[], dialect = hermes) =>
    prepared(toRequest(messages, { tools: [read] }), dialect).messages.slice(1)

  test('results are told in the order of their calls, and what the user adds follows them', () => {
    const told = tell(
      [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: inUsualOrder({ content: 'Two files.', calls: [call('a', '/a'), call('b', '/b')] }),
        },
        { role: 'tool', callId: 'b', content: 'B' },
        { role: 'tool', callId: 'a', content: [{ type: 'text', text: 'A' }] },
        { role: 'user', content: 'Well?' },
      ],
      dialectNamed('roo-xml'),
    )
    expect(told.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    const last = textOf(told[2]?.content ?? '')
    expect(last.startsWith('Tool Result from read:\nA')).toBe(true)
    expect(last.indexOf('\nB')).toBeGreaterThan(last.indexOf('\nA'))
    expect(last.endsWith('\n\nWell?')).toBe(true)
  })

  test('an id used again belongs to the latest call', () => {
    const told = tell(
      [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: inUsualOrder({ calls: [call('a', '/a')] }) },
        { role: 'tool', callId: 'a', content: 'A' },
        { role: 'assistant', content: inUsualOrder({ calls: [{ ...call('a', '/b'), name: 'write' }] }) },
        { role: 'tool', callId: 'a', content: 'B' },
      ],
      dialectNamed('roo-xml'),
    )
    expect(told.at(-1)?.content).toBe('Tool Result from write:\nB')
  })

  test('where ids count the calls of a conversation, a result carries the number of its call', () => {
    const told = tell(
      [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: inUsualOrder({ calls: [call('x', '/a')] }) },
        { role: 'tool', callId: 'x', content: 'A' },
        { role: 'assistant', content: inUsualOrder({ calls: [call('y', '/b'), call('x', '/c')] }) },
        { role: 'tool', callId: 'x', content: 'C' },
        { role: 'tool', callId: 'y', content: 'B' },
      ],
      dialectNamed('kimi-k2'),
    ).map(({ content }) => textOf(content))
    const ids = told.map((text) => [...text.matchAll(/functions\.read:\d/g)].map(([id]) => id))
    expect(ids).toEqual([
      [],
      ['functions.read:0'],
      ['functions.read:0'],
      ['functions.read:1', 'functions.read:2'],
      ['functions.read:1', 'functions.read:2'],
    ])
    expect(told[4]?.indexOf('B')).toBeLessThan(told[4]?.indexOf('C') ?? -1)
  })

  test('an earlier call is printed by the types of its tool', () => {
    const count: Tool = {
      kind: 'function',
      name: 'read',
      parameters: { type: 'object', properties: { path: {}, note: { type: 'string' } } },
    }
    const given = '{"path":"7","note":"7"}'
    const messages: readonly Message[] = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: inUsualOrder({ calls: [{ ...call('a', ''), arguments: given }] }) },
      { role: 'tool', callId: 'a', content: 'A' },
    ]
    const [, , told] = prepared(toRequest(messages, { tools: [count] }), dialectNamed('roo-xml')).messages
    // Undeclared, a bare 7 would be a number when it is read: the string keeps its quotes.
    expect(told?.content).toBe('<read>\n<path>"7"</path>\n<note>7</note>\n</read>')
  })

  test.each<[string, Content]>([
    ['an empty string', ''],
    ['no parts', []],
  ])('an empty result, given as %s, is told as one', (_, content) => {
    const told = tell([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: inUsualOrder({ calls: [call('a', '/a')] }) },
      { role: 'tool', callId: 'a', content },
    ])
    expect(textOf(told.at(-1)?.content ?? '')).toContain('(no output)')
  })

  test('an image in a result is shown after the words', () => {
    const image = { type: 'image', url: 'data:image/png;base64,AA==' } as const
    const told = tell([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: inUsualOrder({ calls: [call('a', '/a')] }) },
      { role: 'tool', callId: 'a', content: [{ type: 'text', text: 'A picture' }, image] },
    ])
    expect(told.at(-1)?.content).toEqual([{ type: 'text', text: expect.stringContaining('A picture') }, image])
  })

  test('arguments an aborted answer left unfinished are shown as they were', () => {
    const told = tell([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: inUsualOrder({ calls: [{ ...call('a', ''), arguments: '{"path": "/a' }] }) },
      { role: 'tool', callId: 'a', content: 'aborted' },
    ])
    expect(textOf(told[1]?.content ?? '')).toContain(JSON.stringify('{"path": "/a'))
  })

  test('marks in what users and tools say are broken, the assistant and the system keep theirs', () => {
    const mark = 'See <tool_call> here.'
    const messages: readonly Message[] = [
      { role: 'system', content: mark },
      { role: 'user', content: mark },
      { role: 'assistant', content: inUsualOrder({ content: mark, calls: [call('a', '/a')] }) },
      { role: 'tool', callId: 'a', content: mark },
    ]
    const [system, user, assistant, result] = prepared(toRequest(messages, { tools: [read] }), hermes).messages
    expect(textOf(system?.content ?? '')).toContain(mark)
    expect(textOf(assistant?.content ?? '')).toContain(mark)
    expect(textOf(user?.content ?? '')).toBe('See <\u2060tool_call> here.')
    expect(textOf(result?.content ?? '')).toContain('See <\u2060tool_call> here.')
  })

  test('a joiner is shown as two wherever it stands, so that what was put into marks can be told from it', () => {
    const told = { ...read, description: 'Reads\u2060.' }
    const messages: readonly Message[] = [
      { role: 'system', content: 'Be\u2060 kind.' },
      { role: 'user', content: 'a\u2060b' },
      {
        role: 'assistant',
        content: inUsualOrder({
          content: 'c\u2060d',
          calls: [{ ...call('a', ''), arguments: '{"path":"e\u2060f\\u2060g"}' }],
        }),
      },
      { role: 'tool', callId: 'a', content: 'h\u2060i' },
    ]
    for (const dialect of dialects) {
      const prompt = render(prepared(toRequest(messages, { tools: [told] }), dialect))
      const runs = [...prompt.matchAll(/(?<!<)\u2060+/g)].map(([run]) => run.length)
      expect(
        runs.every((length) => length === 2),
        dialect.name,
      ).toBe(true)
      expect(runs.length, dialect.name).toBe(7)
    }
  })
})

describe("a tool of the vendor's own", () => {
  const hosted = ['web_search', 'mcp'].map((name) => ({ kind: 'hosted' as const, name }))
  const settings = defaultSettings('model', ['scripted'])

  test.each([
    ['prompt', { dialect: hermes }],
    ['native', {}],
  ] as const)('is not offered to anyone, and told (%s)', (mode, more) => {
    const request = toRequest('Hi', { tools: [read], hosted })
    const { notes, request: sent } = prepare(request, { mode, settings, upstream: createScripted([]), ...more })
    expect(notes).toEqual([{ type: 'note', kind: 'tool_dropped', detail: 'web_search, mcp' }])
    expect(JSON.stringify({ ...sent, origin: undefined })).not.toMatch(/web_search|hosted/)
  })
})
