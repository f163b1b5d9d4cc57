import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doors } from '../../../src/doors/registry.ts'
import type { GatewayError } from '../../../src/errors.ts'
import { callsOf, type Message, textOf } from '../../../src/protocol/message.ts'
import type { UpstreamRequest } from '../../../src/upstreams/upstream.ts'
import { checkMessage, checkStream as checkMessageStream } from '../messages-checker.ts'
import { checkLines, checkBody as checkOllamaBody } from '../ollama-checker.ts'
import { checkBody, checkStream } from '../responses-checker.ts'
import { createTestStore, put } from '../visit.ts'
import { chat } from './chat.ts'
import type { ClientRequest } from './client-request.ts'
import { messages } from './messages.ts'
import { ollama } from './ollama.ts'
import { responses } from './responses.ts'

/** What real clients send is taken, in native and in prompt mode, and answered without a fault. */

type Body = Readonly<Record<string, unknown>>

const modes = ['native', 'prompt'] as const
const none = () => undefined

interface Wire {
  readonly requests: readonly ClientRequest[]
  readonly paths: readonly string[]
  readonly checkStream: (text: string) => void
  readonly checkWhole: (text: string) => void
}

const wires: Readonly<Record<string, Wire>> = {
  chat: { requests: chat, paths: ['/v1/chat/completions'], checkStream: none, checkWhole: none },
  responses: {
    requests: responses,
    paths: ['/v1/responses'],
    checkStream,
    checkWhole: (text) => checkBody(JSON.parse(text)),
  },
  messages: {
    requests: messages,
    paths: ['/v1/messages'],
    checkStream: (text) => expect(checkMessageStream(text).faults).toEqual([]),
    checkWhole: (text) => expect(checkMessage(JSON.parse(text))).toEqual([]),
  },
  ollama: {
    requests: ollama,
    paths: ['/api/chat', '/api/generate'],
    checkStream: (text) => expect(checkLines(text, text.includes('"response":') ? 'generate' : 'chat')).toEqual([]),
    checkWhole: (text) => expect(checkOllamaBody(text, text.includes('"response":') ? 'generate' : 'chat')).toEqual([]),
  },
}

/** Puts a body in at the door, to the end of its answer; every byte of that is looked at. What the service was asked. */
async function ask(path: string, body: Body, tools: (typeof modes)[number]): Promise<UpstreamRequest | undefined> {
  const door = doors.find(({ name }) => wires[name]?.paths.includes(path))
  const wire = wires[door?.name ?? '']
  if (door === undefined || wire === undefined) throw new Error(`no door at ${path}`)
  const store = createTestStore()
  const { previous_response_id: previous } = body
  // The answer that this one goes on from came from another service.
  const output = [{ type: 'function_call', call_id: 'call_x', name: 'x', arguments: '{}' }]
  if (previous !== undefined)
    await store.set(`response:${String(previous)}`, JSON.stringify({ response: { output }, input: [] }))
  const { asked, streamed, whole } = await put(door, path, { model: 'm', ...body }, { tools, dialect: 'hermes' }, store)
  wire.checkStream(streamed)
  wire.checkWhole(whole)
  return asked[0]
}

function wordsOf({ messages: told }: UpstreamRequest): string {
  const shown = told.map((one: Message) => {
    const calls = callsOf(one).map(({ name, arguments: json }) => `${name} ${json}`)
    return [textOf(one.content), ...calls].join('\n')
  })
  return shown.join('\n').replaceAll('\u2060', '')
}

const requests = Object.values(wires).flatMap(({ requests: all, paths: [chatPath = '', generatePath = ''] }) =>
  all.map(([client, body, said, tools]) => ({
    client,
    path: 'prompt' in body ? generatePath : chatPath,
    body,
    said,
    tools,
  })),
)

describe.each(modes)('in %s mode', (mode) => {
  test.each(requests)('$path takes $client, and nothing said is missing', async ({ path, body, said, tools }) => {
    const asked = await ask(path, body, mode)
    if (asked === undefined) throw new Error('nothing is asked')
    const told = wordsOf(asked)
    expect(said.filter((text) => !told.includes(text))).toEqual([])
    expect(told).not.toContain('billing')
    const names = asked.tools.map(({ name }) => name)
    if (mode === 'prompt') {
      expect(names).toEqual([])
      expect(asked.messages.some(({ role }) => role === 'tool')).toBe(false)
    } else if (typeof tools === 'number') expect(names).toHaveLength(tools)
    else if (tools !== undefined) expect(names).toEqual(tools)
  })
})

test('the beginning of a conversation stays the same from turn to turn, whatever ids its items have', async () => {
  const [, codex = {}] = responses[0] ?? []
  const input = codex['input'] as readonly object[]
  const opening = input.slice(0, -4)
  const one = await ask('/v1/responses', { ...codex, input: opening.map((item) => ({ ...item, id: 'x' })) }, 'native')
  const two = await ask('/v1/responses', codex, 'native')
  expect(two?.messages.slice(0, one?.messages.length)).toEqual(one?.messages)
})

interface Recording {
  readonly scenario: string
  readonly path: string
  readonly body: Body
}

const folder = join('..', 'shared', 'recordings')

function readRecordings(): readonly Recording[] {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return lines.flatMap((line) => {
    if (line === '') return []
    const { client = '', scenario = '', case: name = `${client} ${scenario}`, request, ...own } = JSON.parse(line)
    const { method = 'POST', path, body } = request ?? own
    const [bare] = path.split('?')
    const isAsked = Object.values(wires).some(({ paths }) => paths.includes(bare)) && body?.messages?.length !== 0
    return method === 'POST' && isAsked ? [{ scenario: name, path: bare, body }] : []
  })
}

/** What is refused is refused on purpose: what only the vendor can run, or keeps. */
const refused: readonly (readonly [scenario: RegExp, why: RegExp])[] = [
  [/web-search(?:-refused)?\/03$/, /server tool web_search is not available here/],
  [/tool-runner\/02$/, /thread/],
]

describe.runIf(existsSync(folder))('requests recorded of real clients', () => {
  test.each(modes)('are taken in %s mode', async (mode) => {
    const wrong: string[] = []
    for (const { scenario, path, body } of readRecordings()) {
      const [, why] = refused.find(([name]) => name.test(scenario)) ?? []
      const outcome = await ask(path, body, mode).catch((thrown: GatewayError) => thrown)
      if (why !== undefined && outcome instanceof Error && why.test(outcome.message)) continue
      if (outcome instanceof Error) wrong.push(`${scenario}: ${outcome.message}`)
    }
    expect(wrong).toEqual([])
  })
})
