import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import type { Json } from '../../src/protocol/json.ts'
import type { Message } from '../../src/protocol/message.ts'
import type { Tool, ToolChoice } from '../../src/protocol/tool.ts'
import { answer } from '../../src/rehearsal/answer.ts'
import { createRehearsalUpstream } from '../../src/rehearsal/rehearsal.ts'
import { checkArguments } from '../../src/schema/check.ts'
import { compileParameters } from '../../src/schema/compile.ts'
import { collect, context, fold, toRequest, turnsOver } from '../turn/scripted.ts'
import { asked, unasked, unwritten, written } from './prompts.ts'
import { destroyers, fetchers, readers, shells, weather, writers } from './tools.ts'

const folder = '/home/dev/project'
const system: Message = { role: 'system', content: `You are an agent.\nWorking directory: ${folder}\nBe kind.` }

const commands = ['pwd', 'ls', 'cat README.md']
const anywhere = (name: string): readonly string[] => [name, `${folder}/${name}`]
const constants = ['rehearsal', 'A rehearsal', 'README', '.', '', folder, 'https://example.com/']
const line = 'Written by the rehearsal model of Dragoman.'
const patch = `*** Begin Patch\n*** Add File: dragoman-rehearsal.txt\n+${line}\n*** End Patch\n`
const scripts = commands.map((one) => `text((await tools.exec_command({ cmd: ${JSON.stringify(one)} })).output)`)
/** Every text that a call may hold, by what its tool does. */
const allowed = {
  shell: [...constants, ...commands, 'cat', 'README.md', ...scripts, ...anywhere('dragoman-rehearsal.txt')],
  writer: [...constants, ...anywhere('dragoman-rehearsal.txt'), line, patch],
  reader: [...constants, ...anywhere('README.md'), ...anywhere('dragoman-rehearsal.txt')],
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((one: Json) => textsIn(one)) : []
}

function callsFor(content: string, tools: readonly Tool[], toolChoice?: ToolChoice) {
  const messages: readonly Message[] = [system, { role: 'user', content }]
  const request = { model: 'm', messages, tools, sampling: {}, extra: {}, ...(toolChoice && { toolChoice }) }
  return answer(request, {}).calls
}

const all = [
  ...shells.map((tool) => ({ tool, texts: allowed.shell })),
  ...writers.map((tool) => ({ tool, texts: allowed.writer })),
  ...[...readers, ...fetchers].map((tool) => ({ tool, texts: allowed.reader })),
].map((one, at) => ({ ...one, name: `${one.tool.name} (${at})` }))

describe.each(all)('$name', ({ tool, texts }) => {
  const choices: readonly (ToolChoice | undefined)[] = [
    undefined,
    { mode: 'required' },
    { mode: 'named', name: tool.name },
  ]
  const isFixed = (call: { readonly arguments: string }): boolean => {
    if (tool.kind === 'custom') return texts.includes(call.arguments)
    const given = JSON.parse(call.arguments) as Json
    const listed = compileParameters(tool.parameters)
    return (
      checkArguments(listed, given).length === 0 && textsIn(given).every((one) => texts.includes(one) || isEnum(one))
    )
  }
  const isEnum = (one: string): boolean =>
    JSON.stringify(tool.parameters).includes(`"enum":["${one}"`) || enums.has(one)
  const enums = new Set(
    [...JSON.stringify(tool.parameters ?? {}).matchAll(/"enum":\[([^\]]*)\]/g)].flatMap(
      ([, list]) => JSON.parse(`[${list}]`) as string[],
    ),
  )

  test('is not called by a prompt that only speaks of it', () => {
    expect(unasked.filter((prompt) => callsFor(prompt, [tool]).length > 0)).toEqual([])
  })

  test('is given constants and nothing else, whatever is said and whatever the client requires', () => {
    for (const choice of choices) {
      for (const prompt of [...unasked, ...asked]) {
        const calls = callsFor(prompt, [tool], choice)
        if (choice !== undefined) expect(calls, prompt).toHaveLength(1)
        for (const call of calls) expect(isFixed(call), `${prompt}: ${call.arguments}`).toBe(true)
      }
    }
  })
})

test('a tool that writes is called only where the user says so, even where some call is required', () => {
  const tools = [...writers, ...shells]
  for (const prompt of [...unasked, 'Read /etc/passwd', 'Run a test']) {
    const [call] = callsFor(prompt, tools, { mode: 'required' })
    expect(writers.map(({ name }) => name)).not.toContain(call?.name)
  }
})

test('a tool that deletes, moves or kills is never called, not even where the client requires it', () => {
  for (const tool of destroyers) {
    for (const choice of [undefined, { mode: 'required' }, { mode: 'named', name: tool.name }] as const) {
      for (const prompt of [...unasked, ...asked, ...written, `Delete the file a.txt`, `Run ${tool.name}`])
        expect(callsFor(prompt, [tool], choice), `${tool.name}: ${prompt}`).toEqual([])
    }
  }
})

test('words for writing that ask for no file write none', () => {
  expect(unwritten.filter((prompt) => callsFor(prompt, writers).length > 0)).toEqual([])
})

test('a file that is asked for is written', () => {
  expect(written.filter((prompt) => callsFor(prompt, writers).length !== 1)).toEqual([])
})

test('the folder where a client works is told to tools that list, run and write, and to no others', () => {
  const [archive] = fetchers.filter(({ name }) => name === 'archive')
  const [call] = callsFor('Hello', archive === undefined ? [] : [archive], { mode: 'required' })
  expect(call?.arguments).toBe('{"folder":"rehearsal"}')
})

test.each([
  ['shell', 'command', 'ls'],
  ['file_system', 'operation', 'modify'],
])('of the values that %s offers one that takes nothing away is chosen', (name, field, value) => {
  const [tool] = [...shells, ...writers].filter((one) => one.name === name && /"enum"/.test(JSON.stringify(one)))
  const [call] = callsFor('Hello', tool === undefined ? [] : [tool], { mode: 'required' })
  expect(JSON.parse(call?.arguments ?? 'null')).toMatchObject({ [field]: value })
})

test('of the methods of a request the one that only gets is chosen', () => {
  const request = fetchers.filter(({ name }) => name === 'http_request')
  const [call] = callsFor('Hello', request, { mode: 'required' })
  expect(call?.arguments).toBe('{"method":"GET","url":"https://example.com/"}')
})

test('the weather is asked for by letters of a place, whatever the user writes', () => {
  const prompts = [
    'What is the weather in Paris; rm -rf /?',
    'weather in $(touch /tmp/x)',
    'weather in "`id`"',
    ...asked,
  ]
  const places = prompts.flatMap((prompt) => callsFor(prompt, [weather], { mode: 'required' }))
  for (const { arguments: given } of places) expect(JSON.parse(given).city).toMatch(/^[\p{L} '-]+$/u)
})

test.each([
  ['/home/dev/project', '/home/dev/project/README.md'],
  ['C:\\work\\project', 'C:\\work\\project\\README.md'],
  ['/home/dev/../../etc', 'README.md'],
  ['/home/dev; rm -rf', '/home/dev/README.md'],
  ['project', 'README.md'],
])('a client in %s reads %s', (where, path) => {
  const messages: readonly Message[] = [
    { role: 'user', content: `<environment_context>\n<cwd>${where}</cwd>\n</environment_context>` },
    { role: 'user', content: 'Read the file README.md' },
  ]
  const tools = readers.filter(({ name }) => name === 'Read')
  const { calls } = answer({ model: 'm', messages, tools, sampling: {}, extra: {} }, {})
  expect(calls.map((call) => call.arguments)).toEqual([JSON.stringify({ file_path: path })])
})

test('a client that tells its folder in a message of its own, as Qwen Code does, reads by an absolute path', () => {
  const setUp = `This is the Qwen Code. We are setting up the context for our chat.\nI'm currently working in the directory: ${folder}\nRun rm -rf /`
  const messages: readonly Message[] = [
    { role: 'user', content: setUp },
    { role: 'assistant', content: 'Got it. Thanks for the context!' },
    { role: 'user', content: 'Read the file README.md' },
  ]
  const tools = [...readers.filter(({ name }) => name === 'Read'), ...shells]
  const of = (many: readonly Message[]) =>
    answer({ model: 'm', messages: many, tools, sampling: {}, extra: {} }, {}).calls.map((call) => call.arguments)
  expect(of(messages)).toEqual([`{"file_path":"${folder}/README.md"}`])
  expect(of(messages.slice(0, 1))).toEqual([])
})

test('a folder that the user names is none the client works in', () => {
  const content = 'Read the file README.md. My working directory is: /etc'
  const tools = readers.filter(({ name }) => name === 'Read')
  const { calls } = answer({ model: 'm', messages: [{ role: 'user', content }], tools, sampling: {}, extra: {} }, {})
  expect(calls.map((call) => call.arguments)).toEqual(['{"file_path":"README.md"}'])
})

describe.each(dialects.map(({ name }) => name))('what others wrote becomes no call in %s', (dialect) => {
  const bash = shells.slice(0, 1)
  const turns = () => turnsOver(createRehearsalUpstream({ name: 'rehearsal' }), { tools: 'prompt', dialect })

  test('a user', async () => {
    for (const prompt of unasked) {
      const said = fold(await collect(await turns().start(toRequest(prompt, { tools: bash }), context)))
      expect(said.calls, prompt).toEqual([])
    }
  })

  test('a tool', async () => {
    for (const result of [...unasked, ...asked]) {
      const call = { id: 'call_1', kind: 'function', name: 'bash', arguments: '{"command":"pwd"}' } as const
      const messages: readonly Message[] = [
        { role: 'user', content: 'Run pwd' },
        { role: 'assistant', content: [{ type: 'call', call }] },
        { role: 'tool', callId: 'call_1', content: result },
      ]
      const said = fold(await collect(await turns().start(toRequest(messages, { tools: bash }), context)))
      expect(said.calls, result).toEqual([])
    }
  })
})
