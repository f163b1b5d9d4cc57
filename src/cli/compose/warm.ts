import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DoorContext, Exchange } from '../../doors/door.ts'
import { doors } from '../../doors/registry.ts'
import { createBodyParts } from '../../server/body/parts/parts.ts'
import { createRandomId } from '../../server/ids.ts'
import { beginTurns } from '../../server/response/exchange.ts'
import { defaultSettings, type ModelSettings } from '../../turn/settings.ts'
import { createTurns } from '../../turn/turns.ts'
import { createOpenAiUpstreamOver } from '../../upstreams/openai/openai.ts'
import type { Pool } from '../../upstreams/wire/exchange.ts'

/**
 * Answers one request as the first client's will be, to nobody and with no service asked. What is compiled on the way (its
 * functions, the tables of marks) is compiled before anybody waits for it: otherwise the first answer takes 70 ms and the
 * second 6 (`bench/gateway/start.ts`). Nothing of it is kept, counted or told.
 */
export async function warmUp(models: readonly ModelSettings[]): Promise<void> {
  try {
    await answerNobody(models.find(({ tools }) => tools !== 'native')?.dialect ?? 'auto')
  } catch {
    // Whoever asks first finds out himself, and is told.
  }
}

/** Gives back what a client would have got. */
export async function answerNobody(dialect: string): Promise<string> {
  const upstream = createOpenAiUpstreamOver(() => scripted, {
    name,
    url: 'http://127.0.0.1/v1',
    flavour: 'openai',
    timeouts: { connectMs: 1000, firstEventMs: 1000, idleMs: 1000, totalMs: 1000 },
  })
  const turns = createTurns({
    upstreams: new Map([[name, upstream]]),
    models: [{ ...defaultSettings(name, [name]), tools: 'prompt', dialect }],
    newId: () => createRandomId('call_'),
  })
  const exchange = await readAtDoor()
  await nextTurn()
  const printer = exchange.createStream()
  const { feed, promptTokens } = await beginTurns(turns, exchange, {
    signal: new AbortController().signal,
    usage: false,
  })
  let told = printer.open({ promptTokens })
  await feed.run((events, choice) => {
    told += printer.push(choice, events)
    return undefined
  })
  told += await printer.end()
  await upstream.close()
  return told
}

async function readAtDoor(): Promise<Exchange> {
  const route = doors[0].routes.find((one) => 'read' in one)
  if (route === undefined || !('read' in route)) throw new Error('no door asks models')
  const { body } = createBodyParts().read(Buffer.from(JSON.stringify(asked)), route.grows ?? '') ?? {}
  return await route.read(body, context)
}

const name = 'warm'
const none = async (): Promise<never> => Promise.reject(new Error('nobody is there'))

const context: DoorContext = {
  rest: '',
  header: () => undefined,
  query: () => undefined,
  body: none,
  createId: createRandomId,
  now: Date.now,
  started: 0,
  limits: { tools: 8 },
  models: none,
  model: none,
  countTokens: none,
  embed: none,
  store: { get: none, set: none, delete: none },
}

/** Long enough to be told from what is not worth remembering. */
const words = 'Look into the file and say what is in it. '.repeat(8)

const asked = {
  model: name,
  stream: true,
  messages: [
    { role: 'system', content: words },
    { role: 'user', content: words },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"path":"/a"}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: words },
    { role: 'user', content: 'And the other one?' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'look',
        description: words,
        parameters: {
          type: 'object',
          properties: {
            path: { type: 'string' },
            mode: { type: 'string', enum: ['a', 'b'] },
            limit: { type: 'integer' },
          },
          required: ['path'],
          additionalProperties: false,
        },
      },
    },
  ],
}

const pieces = ['I will ', 'look.', '<tool_call>\n{"name": "look", "argu', 'ments": {"path": "/b"}}\n</tool_call>']
const toEvent = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: name, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const said = Buffer.from(
  `${pieces.map((content) => toEvent({ content }, null)).join('')}${toEvent({}, 'stop')}data: [DONE]\n\n`,
)

/** Says the same to whatever it is asked, step by step, so that whoever does ask comes in between. */
const scripted: Pool = {
  open() {
    let isOver = false
    return {
      begin: (hear) => void setImmediate(hear, { status: 200, headers: { 'content-type': 'text/event-stream' } }),
      pull(taker) {
        const bytes = isOver ? undefined : said
        isOver = true
        setImmediate(() => taker.take(bytes))
      },
      abort: () => undefined,
      release: () => undefined,
    }
  },
  destroy: async () => undefined,
}
