import { describe, expect, test } from 'vitest'
import type { Event } from '../../src/protocol/event.ts'
import type { Message } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { collect, context, createScripted, fold, says, toRequest, turnsOver } from './scripted.ts'

const text = { type: 'string' } as const
const number = { type: 'number' } as const

const read: Tool = {
  kind: 'function',
  name: 'read',
  description: 'Read a file',
  parameters: {
    type: 'object',
    properties: { filePath: { ...text, description: 'File path' } },
    required: ['filePath'],
  },
}
const bash: Tool = {
  kind: 'function',
  name: 'bash',
  description: 'Execute command',
  parameters: {
    type: 'object',
    properties: {
      command: { ...text, description: 'Command' },
      description: { ...text, description: 'Description' },
    },
    required: ['command', 'description'],
  },
}
const timedBash: Tool = {
  ...bash,
  parameters: {
    type: 'object',
    properties: { command: text, description: text, timeout: number },
    required: ['command', 'description'],
  },
}
const write: Tool = {
  kind: 'function',
  name: 'write',
  description: 'Write content to a file',
  parameters: { type: 'object', properties: { file_path: text, content: text }, required: ['file_path', 'content'] },
}

const cuts = [1, 2, 3, 7, 1_000]

interface Answer {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly said: string
  readonly content: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
}

const answers: readonly Answer[] = [
  {
    name: 'a simple call',
    tools: [read],
    said: "I'll read the package.json file to see the dependencies.\n\n<read>\n<filePath>/home/user/project/package.json</filePath>\n</read>",
    content: "I'll read the package.json file to see the dependencies.",
    calls: [{ name: 'read', arguments: '{"filePath":"/home/user/project/package.json"}' }],
  },
  {
    name: 'several parameters, one of them a number',
    tools: [timedBash],
    said: "I'll install the axios package using npm.\n\n<bash>\n<command>npm install axios</command>\n<description>Install axios HTTP client library</description>\n<timeout>60000</timeout>\n</bash>",
    content: "I'll install the axios package using npm.",
    calls: [
      {
        name: 'bash',
        arguments: '{"command":"npm install axios","description":"Install axios HTTP client library","timeout":60000}',
      },
    ],
  },
  {
    name: 'content of many lines that looks like JSON and is declared a string',
    tools: [write],
    said: `I'll create a new configuration file with the settings.

<write>
<file_path>/config/settings.json</file_path>
<content>
{
  "api": {
    "endpoint": "https://api.example.com",
    "timeout": 5000
  },
  "logging": {
    "level": "debug"
  }
}
</content>
</write>`,
    content: "I'll create a new configuration file with the settings.",
    calls: [
      {
        name: 'write',
        arguments: String.raw`{"file_path":"/config/settings.json","content":"{\n  \"api\": {\n    \"endpoint\": \"https://api.example.com\",\n    \"timeout\": 5000\n  },\n  \"logging\": {\n    \"level\": \"debug\"\n  }\n}"}`,
      },
    ],
  },
  {
    name: 'no call at all',
    tools: [read],
    said: 'The package.json file contains 5 dependencies: express, axios, lodash, moment, and dotenv. All dependencies are production dependencies with no devDependencies listed.',
    content:
      'The package.json file contains 5 dependencies: express, axios, lodash, moment, and dotenv. All dependencies are production dependencies with no devDependencies listed.',
    calls: [],
  },
]

describe('answers in tags named after the tools', () => {
  test.each(answers.flatMap((answer) => cuts.map((cut) => ({ ...answer, cut }))))(
    '$name, in reads of $cut',
    async ({ tools, said, content, calls, cut }) => {
      const upstream = createScripted([says(said, cut)])
      const turn = await turnsOver(upstream, { dialect: 'roo-xml' }).start(toRequest('Do it.', { tools }), context)
      const answer = fold(await collect(turn))
      expect(answer.text).toBe(content)
      expect(answer.calls.map(({ name, arguments: given }) => ({ name, arguments: given }))).toEqual(calls)
      expect(answer.calls.every(({ ended }) => ended)).toBe(true)
      expect(answer.finish).toBe(calls.length > 0 ? 'tool_calls' : 'stop')
    },
  )

  test('a stream that is cut inside the tags sends text at once and the call when it is sure', async () => {
    const pieces = ["I'll ", 'read ', 'the ', 'file.\n\n<read', '>\n<file', 'Path>/src/app.js</filePath>\n</read>']
    const upstream = createScripted([
      [
        ...pieces.map((piece) => [{ type: 'text', text: piece }] as const),
        [{ type: 'finish', reason: 'stop', assumed: true }],
      ],
    ])
    const turn = await turnsOver(upstream, { dialect: 'roo-xml' }).start(toRequest('Go.', { tools: [read] }), context)
    const batches: (readonly Event[])[] = []
    for await (const batch of turn.events) batches.push(batch)
    expect(batches.slice(0, 4).map((batch) => batch.map(({ type }) => type))).toEqual([
      ['text-delta'],
      ['text-delta'],
      ['text-delta'],
      ['text-delta'],
    ])
    expect(fold(batches.slice(0, 4).flat()).text).toBe("I'll read the file.")
    expect(fold(batches.flat())).toMatchObject({
      text: "I'll read the file.",
      calls: [{ name: 'read', arguments: '{"filePath":"/src/app.js"}', ended: true }],
      finish: 'tool_calls',
    })
  })
})

describe('a cycle of reading a file', () => {
  const question: Message = { role: 'user', content: "What's in the package.json file?" }
  const said = "I'll read the package.json file.\n\n<read>\n<filePath>/home/user/package.json</filePath>\n</read>"
  const result = '{"dependencies":{"express":"^4.18.0","axios":"^1.4.0"}}'
  const last = 'The package.json file contains 2 dependencies: express version ^4.18.0 and axios version ^1.4.0.'

  test('asks, calls, is told the result, and answers', async () => {
    const upstream = createScripted([says(said, 5), says(last, 5)])
    const turns = turnsOver(upstream, { dialect: 'roo-xml' })

    const asking = fold(await collect(await turns.start(toRequest([question], { tools: [read] }), context)))
    expect(upstream.asked[0]?.tools).toEqual([])
    expect(upstream.asked[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(upstream.asked[0]?.messages[0]?.content).toMatch(
      /^You have access to tools[\s\S]*\n\n## read\nDescription: Read a file\n/,
    )
    expect(upstream.asked[0]?.messages[1]).toEqual(question)

    expect(asking).toMatchObject({
      text: "I'll read the package.json file.",
      calls: [{ id: 'call_1', name: 'read', arguments: '{"filePath":"/home/user/package.json"}', ended: true }],
      finish: 'tool_calls',
    })

    const history: readonly Message[] = [
      question,
      {
        role: 'assistant',
        content: asking.text,
        calls: asking.calls.map(({ id, name, arguments: given }) => ({ id, kind: 'function', name, arguments: given })),
      },
      { role: 'tool', callId: 'call_1', content: result },
    ]
    const answering = fold(await collect(await turns.start(toRequest(history, { tools: [read] }), context)))
    expect(upstream.asked[1]?.messages.slice(1)).toEqual([
      question,
      { role: 'assistant', content: said, calls: [] },
      { role: 'user', content: `Tool Result from read:\n${result}` },
    ])
    expect(upstream.asked[1]?.messages[0]).toEqual(upstream.asked[0]?.messages[0])

    expect(answering).toMatchObject({ text: last, calls: [], finish: 'stop' })
  })
})

describe('a cycle of running a command', () => {
  const question: Message = { role: 'user', content: 'Install the lodash package' }
  const said =
    "I'll install lodash using npm.\n\n<bash>\n<command>npm install lodash</command>\n<description>Install lodash utility library</description>\n</bash>"
  const last = 'Successfully installed lodash version 4.17.21.'

  test('asks, calls, is told the result, and confirms', async () => {
    const upstream = createScripted([says(said), says(last)])
    const turns = turnsOver(upstream, { dialect: 'roo-xml' })
    const asking = fold(await collect(await turns.start(toRequest([question], { tools: [bash] }), context)))
    const [call] = asking.calls
    expect(call).toMatchObject({
      name: 'bash',
      arguments: '{"command":"npm install lodash","description":"Install lodash utility library"}',
    })
    const history: readonly Message[] = [
      question,
      {
        role: 'assistant',
        content: '',
        calls: [{ id: 'call_5', kind: 'function', name: 'bash', arguments: call?.arguments ?? '' }],
      },
      { role: 'tool', callId: 'call_5', content: 'added 1 package in 2.3s' },
    ]
    const answering = fold(await collect(await turns.start(toRequest(history, { tools: [bash] }), context)))
    expect(upstream.asked[1]?.messages.at(-1)?.content).toBe('Tool Result from bash:\nadded 1 package in 2.3s')
    expect(answering).toMatchObject({ text: last, calls: [], finish: 'stop' })
  })
})

describe('edges of answers in tags', () => {
  const second = '<read>\n<filePath>/file1.js</filePath>\n</read>\n\n<read>\n<filePath>/file2.js</filePath>\n</read>'

  test('of several calls only the first counts, and the rest of the answer is not waited for', async () => {
    const upstream = createScripted([says(second, 4)])
    const turn = await turnsOver(upstream, { dialect: 'roo-xml' }).start(toRequest('Go.', { tools: [read] }), context)
    const answer = fold(await collect(turn))
    expect(answer.calls.map(({ arguments: given }) => given)).toEqual(['{"filePath":"/file1.js"}'])
    expect(answer).toMatchObject({ text: '', finish: 'tool_calls' })
    expect(upstream.signals[0]?.aborted).toBe(true)
    expect(upstream.taken).toBeLessThan(second.length / 4)
  })
})

describe('tools listed in tags, calls with a name and JSON', () => {
  const weather: Tool = {
    kind: 'function',
    name: 'get_weather',
    description: 'Current weather',
    parameters: { type: 'object', properties: { location: text } },
  }

  test.each(cuts)('are taught and read, in reads of %i', async (cut) => {
    const said = '<tool_call>\n<name>get_weather</name>\n<arguments>{"location": "SF"}</arguments>\n</tool_call>'
    const upstream = createScripted([says(said, cut)])
    const turn = await turnsOver(upstream, { dialect: 'xml-name-args' }).start(
      toRequest('Weather in SF?', { tools: [weather] }),
      context,
    )
    expect(turn.plan).toEqual({ mode: 'prompt', dialect: 'xml-name-args', upstream: 'scripted', model: 'model' })
    expect(fold(await collect(turn))).toMatchObject({
      text: '',
      calls: [{ name: 'get_weather', arguments: '{"location": "SF"}', ended: true }],
      finish: 'tool_calls',
    })
    expect(upstream.asked[0]?.messages[0]?.content).toContain(
      '<tools>\n<tool name="get_weather">\n<description>Current weather</description>\n<parameters>{"type": "object", "properties": {"location": {"type": "string"}}}</parameters>\n</tool>\n</tools>',
    )
  })
})
