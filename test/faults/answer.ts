import type { Step } from './service.ts'

export type Mode = 'native' | 'prompt'

/** The call that every answer makes, if it gets that far. */
export const wanted = { name: 'write_file', arguments: { path: 'a.txt', text: 'héllo 🌍' } }
const json = JSON.stringify(wanted.arguments)
const half = json.indexOf('"text"') + 12

const chunk = (choice: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] })}\n\n`
const delta = (fields: object): string => chunk({ index: 0, delta: fields, finish_reason: null })
const callPiece = (fields: object, index = 0): string => delta({ tool_calls: [{ index, ...fields }] })

export const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'
export const done = 'data: [DONE]\n\n'
const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 }
export const usageChunk = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [], usage })}\n\n`

/** A good answer in its parts, as each mode's service says it. */
export const parts = {
  native: {
    intro: delta({ role: 'assistant', content: 'Looking.' }),
    begin: callPiece({ id: 'call_abcdefgh', type: 'function', function: { name: wanted.name, arguments: '' } }),
    half: callPiece({ function: { arguments: json.slice(0, half) } }),
    rest: callPiece({ function: { arguments: json.slice(half) } }),
    finish: chunk({ index: 0, delta: {}, finish_reason: 'tool_calls' }),
    endless: callPiece({ function: { arguments: 'ha '.repeat(4096) } }),
  },
  prompt: {
    intro: delta({ role: 'assistant', content: 'Looking.\n' }),
    begin: delta({ content: `<tool_call>\n{"name": "${wanted.name}", "arguments": ` }),
    half: delta({ content: json.slice(0, half) }),
    rest: delta({ content: `${json.slice(half)}}\n</tool_call>` }),
    finish: chunk({ index: 0, delta: {}, finish_reason: 'stop' }),
    endless: delta({ content: 'ha '.repeat(4096) }),
  },
} as const

export function wholeAnswer(mode: Mode): string {
  const { intro, begin, half: first, rest, finish } = parts[mode]
  return intro + begin + first + rest + finish
}

/** Native calls as services get them wrong. */
export const oddCalls = {
  indexMissing: (): readonly Step[] => [
    head,
    delta({ tool_calls: [{ id: 'call_abcdefgh', type: 'function', function: { name: wanted.name, arguments: '' } }] }),
    delta({ tool_calls: [{ function: { arguments: json } }] }),
    parts.native.finish,
    done,
  ],
  idTwice: (): readonly Step[] => [
    head,
    callPiece({
      id: 'call_abcdefgh',
      type: 'function',
      function: { name: wanted.name, arguments: json.slice(0, half) },
    }),
    callPiece({ id: 'call_abcdefgh', type: 'function', function: { arguments: json.slice(half) } }),
    parts.native.finish,
    done,
  ],
  nameLate: (): readonly Step[] => [
    head,
    callPiece({ id: 'call_abcdefgh', type: 'function', function: { arguments: '' } }),
    callPiece({ function: { name: wanted.name } }),
    callPiece({ function: { arguments: json } }),
    parts.native.finish,
    done,
  ],
} as const

/** The same answer as one JSON body. */
export function jsonAnswer(mode: Mode): string {
  const { name } = wanted
  const text = `Looking.\n<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`
  const message =
    mode === 'prompt'
      ? { role: 'assistant', content: text }
      : {
          role: 'assistant',
          content: 'Looking.',
          tool_calls: [{ id: 'call_abcdefgh', type: 'function', function: { name, arguments: json } }],
        }
  const finish_reason = mode === 'prompt' ? 'stop' : 'tool_calls'
  return JSON.stringify({ id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage })
}
