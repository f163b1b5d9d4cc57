import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ConfigError } from '../../src/config/problems.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { openaiResponses } from '../../src/doors/openai-responses/door.ts'
import { responsesSocket } from '../../src/doors/openai-responses/socket.ts'
import { doors } from '../../src/doors/registry.ts'
import { constrain } from '../../src/engine/constrain/constrain.ts'
import { matchGrammar } from '../../src/engine/constrain/grammar/match.ts'
import { printEbnf, printGbnf } from '../../src/engine/constrain/grammar/print.ts'
import { readLark } from '../../src/engine/constrain/texts/lark.ts'
import { createReader } from '../../src/engine/reader.ts'
import { GatewayError } from '../../src/errors.ts'
import { type Answer, fold } from '../../src/protocol/fold.ts'
import { type Json, parseJson } from '../../src/protocol/json.ts'
import { AnswerReader } from '../../src/upstreams/openai/answer.ts'
import { BadGeneration, type UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { loadConfig } from '../config.ts'
import { codexPatch, codexScript } from '../constrain/codex-grammars.ts'
import { createTestStore, readAt } from '../doors/visit.ts'
import { adapters } from '../faults/adapters.ts'
import { done, head, jsonAnswer, usageChunk, wholeAnswer } from '../faults/answer.ts'
import { goldens, tools } from '../goldens/read.ts'
import { marksOf } from '../laws/marks.ts'
import { cutAnywhere, mutateJson, mutateText } from './mutate.ts'
import { createRandom, type Random } from './random.ts'

/** What is fed to one part of the gateway, and what must hold whatever it is. */
export interface Target {
  readonly name: string
  /** An input as text, so that it can be kept and shown. */
  make(random: Random): string
  /** Throws where something does not hold. `seed` is for what is left to chance beside the input. */
  run(input: string, seed: number): void | Promise<void>
}

const said = [...goldens.values()].flat().map((golden) => golden.said)
const marks = [...new Set(dialects.flatMap((dialect) => [...marksOf(dialect)]))].filter((mark) => mark !== '')
const telling = marks.filter((mark) => mark.length > 3)
const names = tools.map(({ name }) => name)
const bare = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')

type Unknown = 'auto' | 'text'

function readPieces(dialect: (typeof dialects)[number], unknownTools: Unknown, pieces: readonly string[]) {
  let ids = 0
  const reader = createReader({ dialect, others: dialects, tools, unknownTools, newId: () => `id-${++ids}` })
  const events = pieces.flatMap((piece) => [...reader.push(piece)])
  return [...events, ...reader.end('stop')]
}

/** Which number a call gets depends on how many were begun in vain. */
function withoutIds({ calls, ...rest }: Answer) {
  return { ...rest, calls: calls.map(({ name, arguments: json }) => ({ name, arguments: json })) }
}

const reader: Target = {
  name: 'reader',
  make: (random) => mutateText(said, [...marks, ...names], random),
  run(input, seed) {
    const random = createRandom(seed)
    const dialect = random.pick(dialects)
    const unknown = random.pick<Unknown>(['auto', 'text'])
    const whole = withoutIds(fold(readPieces(dialect, unknown, [input])))
    const cut = withoutIds(fold(readPieces(dialect, unknown, cutAnywhere(input, random))))
    if (!isDeepStrictEqual(cut, whole)) throw new Error(`${dialect.name}: the cutting changes what is read`)
    const known = bare(input)
    for (const { name, arguments: json } of whole.calls) {
      if (unknown === 'text' && !names.includes(name))
        throw new Error(`${dialect.name}: a call of ${name}, which was not offered`)
      // Where a name is lost inside the marks of a call, its arguments may tell which tool is meant.
      if (!known.includes(bare(name)) && !telling.some((mark) => input.includes(mark)))
        throw new Error(`${dialect.name}: a call of ${name}, which was not there`)
      JSON.parse(json)
    }
  },
}

const streams = [
  ...(['native', 'prompt'] as const).flatMap((mode) => [
    wholeAnswer(mode) + done,
    wholeAnswer(mode) + usageChunk + done,
    jsonAnswer(mode),
  ]),
  `: ping\r\n\r\nevent: error\ndata: {"error":{"message":"no"}}\n\n`,
  `data: {"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}\r\r`,
  head,
  '<html><body>no</body></html>',
]
const streamWords = [
  'data: ',
  'event: error\n',
  'data: [DONE]\n\n',
  ': ping\n\n',
  '"finish_reason":"stop"',
  'id: 1\n',
  'retry: 5\n',
]

interface Outcome {
  readonly events: readonly UpstreamEvent[]
  readonly failure: string | undefined
}

function readStream(pieces: readonly Uint8Array[]): Outcome {
  const events: UpstreamEvent[] = []
  try {
    const answer = new AnswerReader('fuzz', () => new GatewayError('upstream_error', 'it said so'))
    for (const piece of pieces) answer.push(piece, events)
    answer.end(events)
    return { events, failure: undefined }
  } catch (error) {
    if (error instanceof GatewayError) return { events, failure: error.code }
    if (error instanceof BadGeneration) return { events, failure: 'bad generation' }
    throw error
  }
}

const sse: Target = {
  name: 'sse',
  make: (random) => mutateText(streams, streamWords, random),
  run(input, seed) {
    const random = createRandom(seed)
    const bytes = Buffer.from(input)
    const pieces: Uint8Array[] = []
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + random.below(random.pick([1, 20, 300]))
      pieces.push(bytes.subarray(at, at + size))
      at += size
    }
    const whole = readStream([bytes])
    const cut = readStream(pieces)
    if (cut.failure !== whole.failure) throw new Error(`cut: ${cut.failure}, whole: ${whole.failure}`)
    if (whole.failure === undefined && !isDeepStrictEqual(cut.events, whole.events))
      throw new Error('the cutting changes what is read')
    const finishes = whole.events.filter(({ type }) => type === 'finish').length
    if (whole.failure === undefined && finishes !== 1) throw new Error(`${finishes} ends`)
  },
}

/** Bodies that doors take, to be spoilt. */
function bodiesOf(path: string): readonly object[] {
  const adapter = Object.values(adapters).find((each) => each.path === path)
  if (adapter === undefined) return []
  const bodies = [true, false].map((stream) => adapter.body('m', stream))
  const call = { id: 'call_12345678', type: 'function', function: { name: 'write_file', arguments: '{"path":"a"}' } }
  const turns: Readonly<Record<string, object>> = {
    '/v1/chat/completions': {
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: 'done' },
      ],
      tool_choice: { type: 'function', function: { name: 'write_file' } },
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
      stop: ['a'],
      max_tokens: 5,
    },
    '/v1/responses': {
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
        { type: 'function_call', call_id: call.id, name: 'write_file', arguments: '{}' },
        { type: 'function_call_output', call_id: call.id, output: 'done' },
      ],
      reasoning: { effort: 'low' },
      text: { format: { type: 'text' } },
    },
    '/v1/messages': {
      system: [{ type: 'text', text: 's' }],
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'write_file', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }] },
      ],
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tool_choice: { type: 'tool', name: 'write_file' },
    },
    '/api/chat': {
      messages: [
        { role: 'assistant', content: '', tool_calls: [{ function: { name: 'write_file', arguments: {} } }] },
        { role: 'tool', content: 'done', tool_name: 'write_file' },
      ],
      format: { type: 'object' },
      options: { num_predict: 5, stop: ['a'] },
      think: 'low',
    },
  }
  return [...bodies, ...bodies.map((body) => ({ ...body, ...turns[path] }))]
}

const bodies: readonly Target[] = doors.map((door): Target => {
  const path = adapters[door.name]?.path ?? ''
  const sound = bodiesOf(path)
  return {
    name: `body:${door.name}`,
    make: (random) => JSON.stringify(mutateJson(random.pick(sound), random)),
    async run(input) {
      const body = parseJson(input)
      if (body === undefined) return
      try {
        await readAt(door, path, body)
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        if (error.status >= 500) throw new Error(`a client's mistake is told as ${error.code}`, { cause: error })
      }
    },
  }
})

const files = [
  'listen: 127.0.0.1:9000\nkeys: [env:KEY]\nlimits: { body: 1mb }\n',
  'upstreams:\n  a: { kind: openai, url: http://127.0.0.1:1/v1, key: env:KEY }\nmodels: { m: { dialect: hermes } }\n',
  'workers: auto\nsessions: { store: redis://u:p@h:1, ttl: 5m }\ntimeouts: { idle: 5s }\n',
  'keys:\n  - name: a\n    key: abcdefgh\n    requests_per_minute: 5\n    expires: 2027-01-31\n    models: [a*]\n',
  '{"models": {"m": {"tools": "prompt", "template": {"system": false}}}, "allowed_origins": ["https://a.b"]}',
]
const fileWords = [
  'env:KEY',
  '${KEY}',
  '- ',
  ': ',
  '&a ',
  '*a',
  '<<: *a',
  '!!js/function',
  '|\n  ',
  '? ',
  'kind: openai',
  '1h',
  '99999999999mb',
]

const config: Target = {
  name: 'config',
  make: (random) => mutateText(files, fileWords, random),
  run(input) {
    try {
      loadConfig({
        dialects: ['hermes'],
        flavours: ['vllm'],
        surroundings: {
          environment: { KEY: 'sk-secret-of-the-fuzz' },
          platform: 'linux',
          workingDirectory: '/project',
          homeDirectory: '/home/u',
          readFile: (path) => (path === '/project/dragoman.yaml' ? input : undefined),
        },
      })
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (error.message.includes('sk-secret-of-the-fuzz')) throw new Error('a secret is told')
    }
  },
}

const grammars = [
  codexPatch,
  codexScript,
  'start: a*\na: "[" a ("," a)~2..3 "]" | INT\n%import common.INT\n%ignore " "',
]
const grammarWords = [
  'start: ',
  '%ignore ',
  '%import common.WS',
  '/[^"]+/',
  '(?=a)',
  '"a".."z"',
  '~2..9',
  '->',
  '| ',
  'start',
]

/** Grammars of custom tools are a client's: whatever they say, calls can be held to them, or to something wider. */
const grammar: Target = {
  name: 'grammar',
  make: (random) => mutateText(grammars, grammarWords, random),
  run(input, seed) {
    const format = { type: 'grammar', grammar: { syntax: 'lark', definition: input } }
    const dialect = createRandom(seed).pick(dialects)
    const options = {
      dialect,
      tools: [{ kind: 'custom', name: 'edit', format }],
      choice: { mode: 'required' },
    } as const
    const { tree } = constrain(options)
    for (const print of [printGbnf, printEbnf]) if (!print(tree).startsWith('root ::= ')) throw new Error('no grammar')
    const texts = readLark(input)
    if (texts !== undefined) matchGrammar(texts, '*** Begin Patch\n*** Delete File: a\n*** End Patch')
  },
}

const session = JSON.parse(readFileSync(join(import.meta.dirname, '../doors/clients/codex-socket.json'), 'utf8'))
const told = (session.messages as readonly object[]).map((message) => ({ ...session.each, ...message }) as Json)

/** What comes over a WebSocket is a request, or a client's mistake. */
const socket: Target = {
  name: 'socket',
  make: (random) => JSON.stringify(mutateJson(random.pick(told), random)),
  async run(input) {
    try {
      const { path, body } = responsesSocket.read(input)
      const store = createTestStore()
      const kept = JSON.stringify({ response: { output: [] }, input: [] })
      for (const nth of [1, 2, 3]) await store.set(`response:resp_${nth}`, kept)
      await readAt(openaiResponses, path, parseJson(body), { store })
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      if (error.status >= 500) throw new Error(`a client's mistake is told as ${error.code}`, { cause: error })
    }
  },
}

export const targets: readonly Target[] = [reader, sse, ...bodies, socket, grammar, config]
