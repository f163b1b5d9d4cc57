import type { ServerResponse } from 'node:http'

export interface QwenAnswerScript {
  readonly text: string
  /** In a phase of their own, in increments. */
  readonly thinking?: string
  /** In snapshots: each has all titles and thoughts so far. */
  readonly summary?: readonly (readonly [title: string, thought: string])[]
  /** Every piece of the text repeats all before it. */
  readonly whole?: boolean
  /** Pieces of another answer come in between, and unknown events. */
  readonly noisy?: boolean
  /** Ends with the marker some models send, and with `[DONE]`. */
  readonly marked?: boolean
  /** Without an end: `eof` ends the response, `hang` keeps it open, `drop` cuts the connection. */
  readonly ending?: 'eof' | 'hang' | 'drop'
  readonly pieceSize?: number
}

interface Ids {
  readonly chat: string
  readonly question: string
  readonly response: string
  /** Asked for phases: without them nothing says what is a thought. */
  readonly phased: boolean
}

/** An answer as the service streams it, one event for each element. */
export function toWrites(script: QwenAnswerScript, { chat, question, response, phased }: Ids): string[] {
  let output = 0
  const chunk = (delta: Readonly<Record<string, unknown>>, from = response) => {
    output += 1
    const { phase, ...plain } = delta
    return event({
      choices: [{ delta: { role: 'assistant', ...(phased ? { ...plain, phase } : plain) } }],
      response_id: from,
      usage: {
        input_tokens: 33,
        output_tokens: output,
        total_tokens: 33 + output,
        characters: 0,
        cached_tokens: 0,
        input_tokens_details: { text_tokens: 33 },
        output_tokens_details: { text_tokens: output },
      },
    })
  }
  const writes = [event({ 'response.created': { chat_id: chat, parent_id: question, response_id: response } })]
  if (script.noisy) writes.push(event({ 'response.info': { anything: true } }))
  if (script.thinking !== undefined) {
    for (const piece of cut(script.thinking, 5))
      writes.push(chunk({ content: piece, phase: 'think', status: 'typing' }))
    writes.push(chunk({ content: '', phase: 'think', status: 'finished' }))
  }
  const { summary = [] } = script
  for (const [index] of summary.entries()) {
    const shown = summary.slice(0, index + 1)
    const extra = {
      summary_title: { content: shown.map(([title]) => title) },
      summary_thought: { content: shown.map(([, thought]) => thought) },
    }
    writes.push(chunk({ content: '', phase: 'thinking_summary', status: 'typing', extra }))
  }
  if (summary.length > 0) writes.push(chunk({ content: '', phase: 'thinking_summary', status: 'finished' }))
  if (script.noisy) {
    const info = [{ url: 'https://example.com', title: 'A page' }]
    writes.push(chunk({ content: '', name: 'web_search', phase: 'web_search', extra: { web_search_info: info } }))
  }
  let said = ''
  for (const piece of cut(script.text, script.pieceSize ?? 7)) {
    said += piece
    writes.push(chunk({ content: script.whole ? said : piece, phase: 'answer', status: 'typing' }))
    if (script.noisy) writes.push(chunk({ content: 'NOT MINE', phase: 'answer', status: 'typing' }, 'response-other'))
  }
  if (script.ending !== undefined) return writes
  if (script.marked) writes.push(chunk({ content: 'FINISHED', phase: 'answer', status: 'typing' }))
  writes.push(event({ choices: [{ delta: { content: '', role: 'assistant', status: 'finished', phase: 'answer' } }] }))
  if (script.marked) writes.push('data: [DONE]\n\n')
  return writes
}

export function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function cut(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}

/** Sends each event as a packet of its own. `settle`: the answer is made, and only its end is still to be said. */
export async function play(
  writes: readonly string[],
  ending: QwenAnswerScript['ending'],
  response: ServerResponse,
  settle: () => void,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const [index, write] of writes.entries()) {
    if (response.destroyed) return
    if (ending === undefined && index >= writes.length - 2) settle()
    await new Promise((resolve) => response.write(write, resolve))
    // A turn of the loop, so that the reader gets each write in a read of its own.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (ending === 'drop') response.socket?.destroy()
  else if (ending !== 'hang') response.end()
}
