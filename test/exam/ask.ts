import type { JsonObject } from '../../src/protocol/json.ts'
import { checkArguments } from '../../src/schema/check.ts'
import { compileParameters } from '../../src/schema/compile.ts'
import { createGateway } from '../../src/server/gateway.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import type { OpenAiOptions } from '../../src/upstreams/openai/openai.ts'
import { createOpenAiUpstream } from '../../src/upstreams/openai/pooled.ts'

/** A model whose template always opens a thought, which only its settings can say. */
const plainSettings = defaultSettings('thinks', ['real'])
const thinks = { ...plainSettings, template: { ...plainSettings.template, thinks: true } }

const timeouts = { connectMs: 5_000, firstEventMs: 60_000, idleMs: 60_000, totalMs: 120_000 }

/** The gateway in front of one real service, on a socket of its own. */
export async function startBefore(origin: string, options: Partial<OpenAiOptions> = {}) {
  const upstream = createOpenAiUpstream({ name: 'real', url: `${origin}/v1`, timeouts, ...options })
  let made = 0
  const turns = createTurns({
    upstreams: new Map([['real', upstream]]),
    models: [thinks],
    newId: () => `call_${++made}`,
  })
  const gateway = createGateway({ turns, host: '127.0.0.1', port: 0, timeouts: { drainMs: 0 } })
  const { port } = await gateway.listen()
  return {
    origin: `http://127.0.0.1:${port}`,
    upstream,
    async stop() {
      await gateway.close()
      await upstream.close()
    },
  }
}

export interface Tool {
  readonly name: string
  readonly parameters: JsonObject
}

export interface Said {
  readonly status: number
  readonly notice: string
  readonly mode: string
  readonly content: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish: string | undefined
  readonly error: string | undefined
}

interface Delta {
  readonly content?: string | null
  readonly tool_calls?: readonly {
    readonly index?: number
    readonly function?: { readonly name?: string; readonly arguments?: string }
  }[]
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: Delta
    readonly message?: Delta
    readonly finish_reason?: string | null
  }[]
  readonly error?: { readonly message: string }
}

/** One request and all that came of it, streamed or not. */
export async function ask(
  origin: string,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const chunks = text.startsWith('{')
    ? [JSON.parse(text) as Chunk]
    : [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Chunk)
  const calls: { name: string; arguments: string }[] = []
  let content = ''
  let finish: string | undefined
  for (const { choices = [] } of chunks) {
    const { delta, message, finish_reason: reason } = choices[0] ?? {}
    const said = delta ?? message ?? {}
    content += said.content ?? ''
    finish = reason ?? finish
    for (const [place, call] of (said.tool_calls ?? []).entries()) {
      const index = call.index ?? place
      const made = calls[index] ?? { name: '', arguments: '' }
      calls[index] = {
        name: made.name + (call.function?.name ?? ''),
        arguments: made.arguments + (call.function?.arguments ?? ''),
      }
    }
  }
  return {
    status: response.status,
    notice: response.headers.get('x-dragoman-notice') ?? '',
    mode: response.headers.get('x-dragoman-mode') ?? '',
    content,
    calls,
    finish,
    error: chunks.find(({ error }) => error !== undefined)?.error?.message,
  }
}

/** Whether an answer is exactly one call of a tool there is, with arguments as its schema has them, and no word beside it. */
export function isOneCall({ calls, content, finish }: Said, tools: readonly Tool[]): boolean {
  const [call, ...others] = calls
  const tool = tools.find(({ name }) => name === call?.name)
  if (call === undefined || tool === undefined || others.length > 0 || content !== '' || finish !== 'tool_calls')
    return false
  try {
    return checkArguments(compileParameters(tool.parameters), JSON.parse(call.arguments) as JsonObject).length === 0
  } catch {
    return false
  }
}

export function toWire(tools: readonly Tool[]): JsonObject[] {
  return tools.map(({ name, parameters }) => ({ type: 'function', function: { name, parameters } }))
}
