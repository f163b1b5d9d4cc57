import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, raw, type Script } from '../doubles/openai-compat.ts'
import { cutAtRandom, startTextModel } from '../doubles/text-model.ts'
import { type Completion, complete, gather, stream } from './ask.ts'

/** The examples of a document that describes a gateway between OpenCode and Qwen, calls being tags named after tools. */

const text = { type: 'string' }
const number = { type: 'number' }
const boolean = { type: 'boolean' }

function tool(name: string, description: string, properties: object, required: readonly string[]) {
  return { type: 'function', function: { name, description, parameters: { type: 'object', properties, required } } }
}

const read = tool('read', 'Read a file', { filePath: text }, ['filePath'])
const write = tool('write', 'Write content to a file', { file_path: text, content: text }, ['file_path', 'content'])
const bash = tool(
  'bash',
  'Execute a bash command in a persistent shell session',
  { command: text, description: text, timeout: number },
  ['command', 'description'],
)
const everything = tool(
  'everything',
  'Takes every type',
  {
    recursive: boolean,
    force: boolean,
    offset: number,
    files: { type: 'array', items: text },
    options: { type: 'object', properties: { timeout: number, retries: number } },
  },
  [],
)

let model: Awaited<ReturnType<typeof startTextModel>>
const lines: Script[] = []

beforeAll(async () => {
  model = await startTextModel({ 'qwen3-max': { dialect: 'roo-xml' } }, () => lines.shift() ?? answer({ text: '?' }))
}, 30_000)
afterAll(() => model.stop())

const ask = { model: 'qwen3-max', messages: [{ role: 'user', content: 'Do it.' }] }

interface Example {
  readonly name: string
  readonly tools: readonly object[]
  readonly said: string
  readonly content: string | null
  readonly call?: { readonly name: string; readonly arguments: string }
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number }
}

const someUsage = { prompt_tokens: 150, completion_tokens: 45, total_tokens: 195 }

const examples: readonly Example[] = [
  {
    name: 'a simple call',
    tools: [read],
    said: "I'll read the package.json file to see the dependencies.\n\n<read>\n<filePath>/home/user/project/package.json</filePath>\n</read>",
    content: "I'll read the package.json file to see the dependencies.",
    call: { name: 'read', arguments: '{"filePath":"/home/user/project/package.json"}' },
    usage: someUsage,
  },
  {
    name: 'several parameters, one of them a number',
    tools: [bash],
    said: "I'll install the axios package using npm.\n\n<bash>\n<command>npm install axios</command>\n<description>Install axios HTTP client library</description>\n<timeout>60000</timeout>\n</bash>",
    content: "I'll install the axios package using npm.",
    call: {
      name: 'bash',
      arguments: '{"command":"npm install axios","description":"Install axios HTTP client library","timeout":60000}',
    },
    usage: { prompt_tokens: 160, completion_tokens: 52, total_tokens: 212 },
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
    call: {
      name: 'write',
      arguments: String.raw`{"file_path":"/config/settings.json","content":"{\n  \"api\": {\n    \"endpoint\": \"https://api.example.com\",\n    \"timeout\": 5000\n  },\n  \"logging\": {\n    \"level\": \"debug\"\n  }\n}"}`,
    },
    usage: { prompt_tokens: 175, completion_tokens: 85, total_tokens: 260 },
  },
  {
    name: 'no call at all',
    tools: [read],
    said: 'The package.json file contains 5 dependencies: express, axios, lodash, moment, and dotenv. All dependencies are production dependencies with no devDependencies listed.',
    content:
      'The package.json file contains 5 dependencies: express, axios, lodash, moment, and dotenv. All dependencies are production dependencies with no devDependencies listed.',
    usage: { prompt_tokens: 200, completion_tokens: 45, total_tokens: 245 },
  },
  {
    name: 'booleans, numbers, a list and an object',
    tools: [everything],
    said: '<everything>\n<recursive>true</recursive>\n<force>false</force>\n<offset>10</offset>\n<files>\n  <item>file1.js</item>\n  <item>file2.js</item>\n</files>\n<options>\n  <timeout>5000</timeout>\n  <retries>3</retries>\n</options>\n</everything>',
    content: null,
    call: {
      name: 'everything',
      arguments:
        '{"recursive":true,"force":false,"offset":10,"files":["file1.js","file2.js"],"options":{"timeout":5000,"retries":3}}',
    },
    usage: someUsage,
  },
  {
    name: 'two calls against the rule of one: the first counts',
    tools: [read],
    said: '<read>\n<filePath>/file1.js</filePath>\n</read>\n\n<read>\n<filePath>/file2.js</filePath>\n</read>',
    content: null,
    call: { name: 'read', arguments: '{"filePath":"/file1.js"}' },
    usage: someUsage,
  },
  {
    name: 'a tag that is no tool of the request',
    tools: [read, write],
    said: '<bash>\n<command>ls -la</command>\n</bash>',
    content: '<bash>\n<command>ls -la</command>\n</bash>',
    usage: someUsage,
  },
]

const cuts = [0, 1, 2, 3, 4]

describe('an answer of the text model', () => {
  test.each(examples)('$name: as one JSON body', async ({ tools, said, content, call, usage }) => {
    for (const seed of cuts) {
      lines.push(answer({ text: cutAtRandom(said, seed), usage }))
      const completion = await complete(model.origin, { ...ask, tools })
      expect(completion).toMatchObject({ object: 'chat.completion', model: 'qwen3-max' })
      expect(completion.id).toMatch(/^chatcmpl-\w+$/)
      expect(Number.isInteger(completion.created)).toBe(true)
      const [choice] = completion.choices
      const { tool_calls, ...message } = choice.message
      expect(message).toEqual({ role: 'assistant', content, refusal: null })
      expect(choice).toMatchObject({ index: 0, finish_reason: call ? 'tool_calls' : 'stop' })
      expect(tool_calls).toEqual(
        call && [{ id: expect.stringMatching(/^call_[A-Za-z0-9]{24}$/), type: 'function', function: call }],
      )
      expect('tool_calls' in choice.message).toBe(call !== undefined)
      // An answer that was cut after its first call has no figures of the service.
      if (!said.includes('file2')) expect(completion.usage).toEqual(usage)
    }
  })

  test.each(examples)('$name: as a stream', async ({ tools, said, content, call, usage }) => {
    for (const seed of cuts) {
      lines.push(answer({ text: cutAtRandom(said, seed), usage }))
      const { begun, ...gathered } = gather(await stream(model.origin, { ...ask, tools }))
      expect(gathered).toEqual({
        content: content ?? '',
        arguments: call ? [call.arguments] : [],
        finish: [call ? 'tool_calls' : 'stop'],
      })
      expect(begun.map((piece) => piece.function)).toEqual(call ? [{ name: call.name, arguments: '' }] : [])
    }
  })

  test('the service is hung up on when the one call is complete', async () => {
    const said = '<read>\n<filePath>/file1.js</filePath>\n</read>\n\n<read>\n<filePath>/file2.js</filePath>\n</read>'
    lines.push({ ...answer({ text: cutAtRandom(said, 1) }), ending: 'hang' })
    const before = model.double.requests.length
    await complete(model.origin, { ...ask, tools: [read] })
    expect(await model.double.requests[before]?.over).toBe('aborted')
  })

  test('a closing tag that is missing is seen to, and nothing the model said is lost', async () => {
    lines.push(answer({ text: "I'll read the file.\n\n<read>\n<filePath>/path/to/file\n</read>" }))
    const [{ message, finish_reason }] = (await complete(model.origin, { ...ask, tools: [read] })).choices
    expect(message.content?.startsWith("I'll read the file.")).toBe(true)
    expect(message.tool_calls?.map((call) => call.function)).toEqual([
      { name: 'read', arguments: '{"filePath":"/path/to/file"}' },
    ])
    expect(finish_reason).toBe('tool_calls')
  })
})

test('a stream of the service, byte for byte as in the document', async () => {
  const pieces = ["I'll ", 'read ', 'the ', 'file.\\n\\n<read', '>\\n<file', 'Path>/src/app.js</filePath>\\n</read>']
  lines.push(
    raw([...pieces.map((piece) => `data: {"choices":[{"delta":{"content":"${piece}"}}]}\n\n`), 'data: [DONE]\n\n']),
  )
  const chunks = await stream(model.origin, { ...ask, tools: [read] })
  const [first] = chunks
  for (const { id, object, created, model: name } of chunks) {
    expect({ id, object, created, name }).toEqual({
      id: first?.id,
      object: 'chat.completion.chunk',
      created: first?.created,
      name: 'qwen3-max',
    })
  }
  expect(first?.choices[0].delta.role).toBe('assistant')
  const deltas = chunks.map(({ choices: [choice] }) => choice)
  expect(gather(chunks)).toEqual({
    content: "I'll read the file.",
    begun: [
      {
        index: 0,
        id: expect.stringMatching(/^call_[A-Za-z0-9]{24}$/),
        type: 'function',
        function: { name: 'read', arguments: '' },
      },
    ],
    arguments: ['{"filePath":"/src/app.js"}'],
    finish: ['tool_calls'],
  })
  expect(deltas.at(-1)).toMatchObject({ index: 0, delta: {}, finish_reason: 'tool_calls' })
})

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools?: unknown
  readonly stream: boolean
}

/** What the service was sent last. */
function lastSent(): Sent {
  return model.double.requests.at(-1)?.body as Sent
}

function callOf({ choices: [{ message }] }: Completion) {
  const [call] = message.tool_calls ?? []
  if (call === undefined) throw new Error('no call')
  return { role: 'assistant', content: message.content, tool_calls: message.tool_calls, id: call.id, call }
}

describe('the cycle of reading a file', () => {
  const question = { role: 'user', content: "What's in the package.json file?" }
  const said = "I'll read the package.json file.\n\n<read>\n<filePath>/home/user/package.json</filePath>\n</read>"
  const result = '{"dependencies":{"express":"^4.18.0","axios":"^1.4.0"}}'
  const last = 'The package.json file contains 2 dependencies: express version ^4.18.0 and axios version ^1.4.0.'
  const called = (id: string) => ({
    role: 'assistant',
    content: "I'll read the package.json file.",
    tool_calls: [
      { id, type: 'function', function: { name: 'read', arguments: '{"filePath":"/home/user/package.json"}' } },
    ],
  })

  test('step 1: the tools are taught, and not sent', async () => {
    lines.push(answer({ text: said }))
    await stream(model.origin, { model: 'qwen3-max', messages: [question], tools: [read] })
    const sent = lastSent()
    expect(sent.stream).toBe(true)
    expect('tools' in sent).toBe(false)
    expect(sent.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(sent.messages[0]?.content).toMatch(/^You have access to tools[\s\S]*\n\n## read\nDescription: Read a file\n/)
    expect(sent.messages[1]).toEqual(question)
  })

  test('step 2: the call comes out of the text', async () => {
    lines.push(answer({ text: cutAtRandom(said, 7) }))
    const { choices } = await complete(model.origin, { model: 'qwen3-max', messages: [question], tools: [read] })
    const id = choices[0].message.tool_calls?.[0]?.id ?? ''
    expect(choices[0]).toMatchObject({ message: called(id), finish_reason: 'tool_calls' })
  })

  test.each([
    ['as in the document, without the tools', {}],
    ['with the tools again', { tools: [read] }],
  ])('steps 3 and 4: the result goes in as the user, the last words come out (%s)', async (_how, more) => {
    lines.push(answer({ text: cutAtRandom(last, 3) }), answer({ text: cutAtRandom(last, 4) }))
    const messages = [question, called('call_1'), { role: 'tool', tool_call_id: 'call_1', content: result }]
    const body = { model: 'qwen3-max', messages, ...more }
    const [choice] = (await complete(model.origin, body)).choices
    expect(lastSent().messages.filter(({ role }) => role !== 'system')).toEqual([
      question,
      { role: 'assistant', content: said },
      { role: 'user', content: `Tool Result from read:\n${result}` },
    ])
    expect(choice.message).toEqual({ role: 'assistant', content: last, refusal: null })
    expect(choice.finish_reason).toBe('stop')
    expect(gather(await stream(model.origin, body))).toEqual({
      content: last,
      begun: [],
      arguments: [],
      finish: ['stop'],
    })
  })
})

test('the cycle of running a command', async () => {
  const question = { role: 'user', content: 'Install the lodash package' }
  lines.push(
    answer({
      text: "I'll install lodash using npm.\n\n<bash>\n<command>npm install lodash</command>\n<description>Install lodash utility library</description>\n</bash>",
    }),
    answer({ text: 'Successfully installed lodash version 4.17.21.' }),
  )
  const body = { model: 'qwen3-max', tools: [bash] }
  const { call } = callOf(await complete(model.origin, { ...body, messages: [question] }))
  expect(call.function).toEqual({
    name: 'bash',
    arguments: '{"command":"npm install lodash","description":"Install lodash utility library"}',
  })
  const messages = [
    question,
    { role: 'assistant', tool_calls: [{ ...call, id: 'call_5' }] },
    { role: 'tool', tool_call_id: 'call_5', content: 'added 1 package in 2.3s' },
  ]
  const [choice] = (await complete(model.origin, { ...body, messages })).choices
  expect(lastSent().messages.at(-1)).toEqual({
    role: 'user',
    content: 'Tool Result from bash:\nadded 1 package in 2.3s',
  })
  expect(choice.message.content).toBe('Successfully installed lodash version 4.17.21.')
  expect(choice.finish_reason).toBe('stop')
})
