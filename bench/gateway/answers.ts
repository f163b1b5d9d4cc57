import { cut } from '../measure.ts'

/** What the scripted service says, by the name of the model it is asked for. */
export interface Script {
  /** Each event of the stream as it stands on the wire, an HTTP chunk of its own as vLLM sends them. */
  readonly events: readonly Buffer[]
  /** All of them, and the end. */
  readonly whole: Buffer
  /** Milliseconds between two events, each written by itself; 0: one right after the other. Absent: everything leaves in one write. */
  readonly paceMs?: number
}

const prose =
  'The lamp in the den is on now, at level three; say so if it should be brighter (or off).\nAnything else? It costs "nothing" at all. '
const code = 'const total = items.reduce((sum, item) => sum + item.price * 2, 0)\n  return { total }\n'
const pieceLength = 4
/** Milliseconds between the events of a paced stream: 50 a second. */
const paceMs = 20

/** Where a paced event says when it was written, in microseconds: `@123456789@`. */
export const stampPattern = /@(\d+)@/
const stampDigits = 12

const id = 'chatcmpl-4f1c9a7be2d84c6fa0b3d5e817c2f906'
const envelope = (delta: string, finish = 'null') =>
  `{"id":"${id}","object":"chat.completion.chunk","created":1762000000,"model":"bench","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish},"stop_reason":null,"token_ids":null}]}`
const opening = envelope('{"role":"assistant","content":""}')
const content = (text: string) => envelope(`{"content":${JSON.stringify(text)}}`)
const callStart = (name: string) =>
  envelope(
    `{"tool_calls":[{"index":0,"id":"chatcmpl-tool-9f86d081884c7d65","type":"function","function":{"name":"${name}","arguments":""}}]}`,
  )
const callPiece = (json: string) =>
  envelope(`{"tool_calls":[{"index":0,"function":{"arguments":${JSON.stringify(json)}}}]}`)
const usage = `{"id":"${id}","object":"chat.completion.chunk","created":1762000000,"model":"bench","choices":[],"usage":{"prompt_tokens":900,"completion_tokens":258,"total_tokens":1158}}`

function filled(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

/** The call every answer makes; `length` characters of it are one argument. */
const argumentsOf = (length: number) => JSON.stringify({ path: '/src/app.ts', content: filled(code, length) })
const inText = (length: number) =>
  cut(`<tool_call>\n{"name": "tool_1", "arguments": ${argumentsOf(length)}}\n</tool_call>`, pieceLength).map(content)
const natively = (length: number) => [callStart('tool_1'), ...cut(argumentsOf(length), pieceLength).map(callPiece)]
const words = (pieces: number) => cut(filled(prose, pieces * pieceLength), pieceLength).map(content)
const stamped = (pieces: number) =>
  Array.from({ length: pieces }, () => content(`a word @${'0'.repeat(stampDigits)}@ `))

function script(payloads: readonly string[], finish: 'stop' | 'tool_calls', pace?: number): Script {
  const all = [opening, ...payloads, envelope('{}', `"${finish}"`), usage, '[DONE]']
  const events = all.map((payload) => toChunk(`data: ${payload}\n\n`))
  return {
    events,
    whole: Buffer.concat([...events, Buffer.from('0\r\n\r\n')]),
    ...(pace !== undefined && { paceMs: pace }),
  }
}

function toChunk(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

/** The same answer as one JSON value. */
export const completion = JSON.stringify({
  id,
  object: 'chat.completion',
  created: 1_762_000_000,
  model: 'bench',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: filled(prose, 1032), refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 900, completion_tokens: 258, total_tokens: 1158 },
})

/** Two thirds words and one third a call: 258 events, as an agent's answers go. */
export const scripts: Readonly<Record<string, Script>> = {
  'text-calls': script([...words(168), ...inText(252)], 'stop'),
  'single-writes': script([...words(168), ...inText(252)], 'stop', 0),
  'native-calls': script([...words(168), ...natively(310)], 'tool_calls'),
  short: script([...['I ', 'will look', '.'].map(content), ...shortCall()], 'stop'),
  'long-argument': script(inText(64 * 1024), 'stop'),
  paced: script([...stamped(64), ...inText(40)], 'stop', paceMs),
  'paced-native': script([...stamped(64), ...natively(90)], 'tool_calls', paceMs),
}

/** A call in few events, as fast services send them. */
function shortCall(): readonly string[] {
  return ['<tool_call>\n', '{"name": "tool_1", ', '"arguments": {"path": "/src/', 'app.ts"}}\n</tool_call>'].map(
    content,
  )
}

/** Writes the time into an event that has a place for it. */
export function stamp(event: Buffer, micros: number): Buffer {
  const at = event.indexOf('@0')
  if (at === -1) return event
  const copy = Buffer.from(event)
  copy.write(String(micros).padStart(stampDigits, '0').slice(-stampDigits), at + 1, 'latin1')
  return copy
}
