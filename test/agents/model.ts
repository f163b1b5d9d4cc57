import type { Dialect } from '../../src/dialects/dialect.ts'
import { findDialect } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { JsonSchema } from '../../src/protocol/json.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { answer, ending, json, refusal, type Script, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { readTeaching } from '../doubles/teaching/read.ts'
import type { Plot, Step } from './plot.ts'
import { inParts, type Made, toCall, toEndCall } from './toolbox.ts'

/** The names under which the scripted model is served: one that was taught nothing of tools, and one that was. */
export const textOnly = 'text-only'
export const withTools = 'with-tools'

/** Room for the large file of an errand: with less, agents shorten the conversation before they are done. */
const contextTokens = 262_144

interface Said {
  readonly role: string
  readonly content?: unknown
}

interface Body {
  readonly model?: string
  readonly messages?: readonly Said[]
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters?: JsonSchema } }[]
  readonly parallel_tool_calls?: boolean
}

/** What a model gathers from a request: its tools, and how it may call them. */
interface Abilities {
  readonly tools: readonly Tool[]
  /** Several calls in one answer. */
  readonly parallel: boolean
  print(calls: readonly Made[], said: string): Script
}

/** What the model saw and said for one plot, for the verdict. */
export interface Performance {
  readonly plot: Plot
  /** Everything it said beside calls, in order. */
  readonly prose: string[]
  /** What it missed in a prompt. */
  readonly complaints: string[]
  /** The dialects it was taught, by name; `native` and `own` for the two other ways. */
  readonly taught: Set<string>
  /** Whether several calls stood in one answer. */
  parallel: boolean
  answers: number
  /** Resolves when it has fallen silent in the middle of a call. */
  readonly stalled: Promise<void>
}

/**
 * A scripted model behind an OpenAI-compatible service. It is told nothing but the request: it reads its tools out of the
 * prompt as it stands there, finds its place in the plot by what was said so far, and answers in text.
 */
export async function startScriptedModel() {
  const stage = new Map<string, Performance & { stall(): void }>()
  const listed = [textOnly, withTools].map((id) => ({ id, object: 'model', max_model_len: contextTokens }))
  const double = await startOpenAiDouble({
    models: json({ object: 'list', data: listed }),
    respond: (body) => respond(body as Body),
  })

  async function respond(body: Body): Promise<Script> {
    const messages = body.messages ?? []
    const texts = messages.map(({ content }) => textOf(content))
    const first = texts.findIndex((text, at) => messages[at]?.role === 'user' && errandIn(text) !== undefined)
    const performance = stage.get(errandIn(texts[first] ?? '') ?? '')
    // Titles, summaries, what an agent asks on the side.
    if (performance === undefined) return answer({ text: 'An errand.', usage })
    if (performance.plot.thinksMs !== undefined)
      await new Promise((done) => setTimeout(done, performance.plot.thinksMs))
    if (body.model === textOnly && body.tools !== undefined) {
      performance.complaints.push('tools were sent to a model that knows nothing of them')
      return refusal(400, { error: { message: 'tools are not supported by this model' } })
    }
    return perform(performance, body, texts, first)
  }

  function perform(performance: Performance & { stall(): void }, body: Body, texts: readonly string[], first: number) {
    const { plot, prose, complaints } = performance
    performance.answers++
    const abilities = readAbilities(body, texts, first, performance)
    const giveUp = (reason: string) => {
      complaints.push(reason)
      return answer({ text: reason, usage })
    }
    if (abilities === undefined || abilities.tools.length === 0) return giveUp('I have no tools.')
    const roles = (body.messages ?? []).map(({ role }) => role)
    const mine = roles.flatMap((role, at) => (at > first && role === 'assistant' ? [at] : []))
    const heard = texts.slice((mine.at(-1) ?? first) + 1).join('\n')
    const said = texts.slice(first).join('\n')
    const steps = plot.steps(said).flatMap((step) => inTurns(step, abilities))
    const before = steps[mine.length - 1]
    if (before !== undefined && !before.told.test(heard)) {
      return giveUp(`After "${before.says}" I was not told ${before.told}, but: ${heard.slice(0, 300)}`)
    }
    const step = steps[mine.length]
    if (step === undefined) {
      const last = plot.ending(said)
      const call = toEndCall(last, abilities.tools)
      if (call === undefined) prose.push(last)
      return call === undefined ? answer({ text: cut(last), usage }) : abilities.print([call], '')
    }
    const calls = step.deeds.map((deed) => toCall(deed, abilities.tools))
    if (!calls.every((call) => call !== undefined)) {
      return giveUp(`None of my tools can ${step.deeds[0]?.do}: ${abilities.tools.map(({ name }) => name).join(', ')}`)
    }
    prose.push(step.says)
    if (calls.length > 1) performance.parallel = true
    const script = abilities.print(calls, step.says)
    if (!plot.stalls) return script
    const writes = [...script.writes]
    setTimeout(performance.stall, 200)
    return ending({ ...script, writes: writes.slice(0, Math.ceil(writes.length / 2)) }, 'hang')
  }

  return {
    url: double.url,
    double,
    /** From now on the conversation with this plot's id in it goes by the plot. */
    stage(plot: Plot): Performance {
      const { promise: stalled, resolve: stall } = Promise.withResolvers<void>()
      const performance = {
        plot,
        prose: [],
        complaints: [],
        taught: new Set<string>(),
        parallel: false,
        answers: 0,
        stalled,
        stall,
      }
      stage.set(plot.id, performance)
      return performance
    },
    /** The most answers one conversation took. */
    get longest() {
      return Math.max(0, ...Array.from(stage.values(), ({ answers }) => answers))
    },
    stop: double.close,
  }
}

export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>

function errandIn(text: string): string | undefined {
  return /errand-[\w.-]*\w/.exec(text)?.[0]
}

/** A step as the answers it takes: one, where the tools and the dialect allow it. */
function inTurns(step: Step, { tools, parallel }: Abilities): readonly Step[] {
  const parts = step.deeds.flatMap((deed) => inParts(deed, tools))
  if (parts.length === step.deeds.length && parallel) return [step]
  return parts.map((deed) => ({ ...step, deeds: [deed] }))
}

function readAbilities(
  body: Body,
  texts: readonly string[],
  first: number,
  { taught }: Performance,
): Abilities | undefined {
  if (body.tools !== undefined) {
    taught.add('native')
    return nativeAbilities(body)
  }
  const system = (body.messages ?? []).flatMap(({ role }, at) => (role === 'system' ? [texts[at] ?? ''] : []))
  const prompt = [...system, texts[first] ?? ''].join('\n\n')
  const heard = readTeaching(prompt, texts.at(-1) ?? '')
  const dialect = heard && findDialect(heard.dialect)
  if (heard === undefined || dialect === undefined) {
    const own = readOwnXml(prompt)
    if (own !== undefined) taught.add('own')
    return own
  }
  taught.add(dialect.name)
  return taughtAbilities(dialect, heard.tools, !heard.onlyOne && dialect.grammar.single !== true)
}

/** As vLLM answers: calls beside the text, with ids of its own. */
function nativeAbilities(body: Body): Abilities {
  const tools = (body.tools ?? []).map(
    ({ function: { name, parameters } }): Tool => ({
      kind: 'function',
      name,
      ...(parameters !== undefined && { parameters }),
    }),
  )
  return {
    tools,
    parallel: body.parallel_tool_calls !== false,
    print: (calls, said) =>
      answer({
        text: cut(said),
        calls: calls.map((call) => ({
          id: `chatcmpl-tool-${crypto.randomUUID().replaceAll('-', '')}`,
          name: call.name,
          arguments: cut(call.arguments),
        })),
        usage,
      }),
  }
}

function taughtAbilities(dialect: Dialect, tools: readonly Tool[], parallel: boolean): Abilities {
  return {
    tools,
    parallel,
    print(calls, said) {
      const printed = printCalls(
        dialect,
        calls.map((call, at) => ({ ...call, id: `call_${at}` })),
        tools,
      )
      return answer({ text: cut(said === '' ? printed : `${said}\n\n${printed}`), usage })
    },
  }
}

/** The legacy Cline teaches its own tools in its own words: `Usage:` and an element per tool. */
function readOwnXml(prompt: string): Abilities | undefined {
  const usages = [...prompt.matchAll(/^Usage:\n<(\w+)>\n([\s\S]*?)\n<\/\1>/gm)]
  if (usages.length === 0) return undefined
  const tools = usages.map(([, name = '', inner = '']): Tool => {
    const keys = [...inner.matchAll(/^<(\w+)>/gm)].map(([, key = '']) => key)
    const properties = Object.fromEntries(
      keys.map((key) => [key, { type: key.startsWith('requires') ? 'boolean' : 'string' }]),
    )
    const required = keys.filter((key) => /^(?:path|content|command|result|requires_approval)$/.test(key))
    return { kind: 'function', name, parameters: { type: 'object', properties, required } }
  })
  return {
    tools,
    parallel: false,
    print([call], said) {
      const fields = Object.entries(JSON.parse(call?.arguments ?? '{}') as Record<string, unknown>)
      const inner = fields.map(([key, value]) => `<${key}>${value}</${key}>\n`).join('')
      return answer({ text: cut(`${said}\n<${call?.name}>\n${inner}</${call?.name}>`), usage })
    },
  }
}

/** At random places; a long text in longer pieces, or a run would be all packets. */
function cut(text: string): readonly string[] {
  const longest = Math.max(12, Math.ceil(text.length / 500))
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + 1 + Math.floor(Math.random() * longest)
    // No service cuts a character in two.
    const whole = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end
    pieces.push(text.slice(at, whole))
    at = whole
  }
  return pieces
}

export const promptTokens = 4321
export const completionTokens = 123

const usage = {
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : '')).join('\n')
}
