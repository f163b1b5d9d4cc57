import { createParser } from 'eventsource-parser'
import { parseJson } from '../protocol/json.ts'
import type { Request } from '../protocol/request.ts'
import { toOpenAiBody } from '../upstreams/openai/body.ts'
import { requestText } from '../upstreams/wire/http.ts'
import { createHttpClient } from '../upstreams/wire/undici-client.ts'
import { type Shaped, shapeOfStream, shapeOfWhole } from './shape.ts'
import { tasks } from './tasks.ts'

export interface Endpoint {
  readonly url: string
  readonly model: string
  readonly key: string | undefined
}

/** One question, streamed or whole: whether the answer is the right one, and has the right shape. */
export interface Row {
  readonly question: string
  readonly streamed: boolean
  readonly isRight: boolean
  readonly problems: readonly string[]
}

interface Question {
  readonly name: string
  readonly request: Pick<Request, 'messages' | 'tools' | 'toolChoice'>
  isRight(answer: Shaped): boolean
}

/** Signs that streams and JSON are easily broken by. */
const awkward = 'She said "no" to C:\\new\\table {1: [2]} <b> ünï 🙂'

const { tools, messages: asked } = tasks.single.request

const questions: readonly Question[] = [
  ...Object.entries(tasks).map(([name, { request, isDone }]): Question => {
    return { name, request, isRight: ({ calls }) => isDone(calls) }
  }),
  {
    name: 'awkward text',
    request: {
      messages: [{ role: 'user', content: `Use the tool write_note to write exactly this text: ${awkward}` }],
      tools: [
        {
          kind: 'function',
          name: 'write_note',
          description: 'Write a note.',
          parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        },
      ],
    },
    isRight: ({ calls: [call] }) =>
      (parseJson(call?.arguments ?? '') as { readonly text?: unknown } | undefined)?.text === awkward,
  },
  {
    name: 'after a result',
    request: {
      messages: [
        ...asked,
        {
          role: 'assistant',
          content: [
            {
              type: 'call',
              call: { kind: 'function', id: 'call_1', name: 'get_weather', arguments: '{"city": "Paris"}' },
            },
          ],
        },
        { role: 'tool', callId: 'call_1', content: 'Sunny, 31 degrees.' },
      ],
      tools,
    },
    isRight: ({ content, calls }) => calls.length === 0 && content.includes('31'),
  },
  {
    name: 'no call wanted',
    request: { messages: asked, tools, toolChoice: { mode: 'none' } },
    isRight: ({ content, calls }) => calls.length === 0 && content.trim() !== '',
  },
]

const withinMs = 300_000

/** Asks an endpoint each question streamed and whole. */
export async function* tryEndpoint(endpoint: Endpoint, signal: AbortSignal): AsyncGenerator<Row> {
  const base = new URL(endpoint.url)
  const client = createHttpClient(base, { connectMs: 5_000 })
  const path = `${base.pathname.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    'content-type': 'application/json',
    ...(endpoint.key !== undefined && { authorization: `Bearer ${endpoint.key}` }),
  }
  try {
    for (const { name, request, isRight } of questions) {
      for (const streamed of [true, false]) {
        const more = { sampling: { temperature: 0 }, maxTokens: 512, extra: {} }
        const { stream_options: _, ...body } = toOpenAiBody({ model: endpoint.model, ...more, ...request })
        const question = { method: 'POST', path, headers, body: JSON.stringify({ ...body, stream: streamed }) } as const
        const about = { upstream: endpoint.url, client, request: question, withinMs, maxBytes: 1 << 22 }
        const { status, text } = await requestText(about, signal)
        const row = { question: name, streamed }
        if (status === 200) {
          const shaped = streamed ? shapeOfStream(eventsIn(text)) : shapeOfWhole(parseJson(text))
          yield { ...row, isRight: isRight(shaped), problems: shaped.problems }
        } else yield { ...row, isRight: false, problems: [`Status ${status}: ${text.slice(0, 200)}`] }
      }
    }
  } finally {
    await client.close()
  }
}

function eventsIn(text: string): readonly string[] {
  const events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) })
  parser.feed(text)
  return events
}
