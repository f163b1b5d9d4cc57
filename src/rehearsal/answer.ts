import type { Call } from '../protocol/call.ts'
import { textOf } from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import { callableTools, isForced, type Tool } from '../protocol/tool.ts'
import type { UpstreamRequest } from '../upstreams/upstream.ts'
import { fillArguments, type Planned } from './fill.ts'
import { canDo, files, isDestructive, kindOf, rules, weather } from './rules.ts'
import { clausesOf, folderIn, placesIn, sentencesOf, takeApart } from './words.ts'

/** What the rehearsal model says. Calls that a prompt asks for are in the text. */
export interface Answer {
  readonly reasoning?: string
  readonly text: string
  readonly calls: readonly Call[]
}

export interface AnswerSettings {
  readonly prose?: boolean
  readonly calls?: number
}

/** The answer to a request: always the same for the same request. */
export function answer({ origin, ...rest }: UpstreamRequest, settings: AnswerSettings): Answer {
  const { messages, tools, parallelCalls, ...request } = origin?.request ?? rest
  const last = messages.slice(messages.findLastIndex(({ role }) => role === 'user' || role === 'assistant') + 1)
  const results = last.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content).trim())
  if (results.length > 0) return { reasoning: 'The tools have answered.', text: quote(results, tools), calls: [] }
  const { plain } = takeApart(textOf(messages.findLast(({ role }) => role === 'user')?.content ?? ''))
  const planned = plannedIn(plain, { ...request, tools })
  if (planned.length === 0) return { reasoning: 'No tool is needed.', text: introduce(plain, tools), calls: [] }
  const count = parallelCalls === false ? 1 : (settings.calls ?? planned.length)
  // Said by the client itself: no word of the user's.
  const own = messages.flatMap(({ role, content }) =>
    role === 'user' ? takeApart(textOf(content)).added : role === 'system' ? textOf(content) : [],
  )
  const folder = folderIn(own.join('\n'))
  const calls = Array.from({ length: count }, (_, at) => planned[at % planned.length]).flatMap((plan, at): Call[] => {
    if (plan === undefined) return []
    const { kind, name } = plan.tool
    const id = `call_rehearsal_${messages.length}_${at}`
    return [{ id, kind, name, arguments: fillArguments(plan.tool, { ...plan, folder }) }]
  })
  const names = [...new Set(calls.map(({ name }) => name))].join(' and ')
  const said = [`I'll use ${names}.`, ...new Set(planned.flatMap(({ says = [] }) => says))].join(' ')
  const text = [...(settings.prose === false ? [] : [said]), ...(origin === undefined ? [] : [origin.print(calls)])]
  const reasoning = `The message asks for ${names}.`
  return { reasoning, text: text.join('\n\n'), calls: origin === undefined ? calls : [] }
}

type PlannedCall = Planned & { readonly tool: Tool; readonly says?: string | undefined }

/** The tools that a message asks for, in its order; where the client requires a call, the least dangerous at least. */
function plannedIn(
  plain: string,
  { tools, toolChoice }: Pick<Request, 'tools' | 'toolChoice'>,
): readonly PlannedCall[] {
  if (toolChoice?.mode === 'none') return []
  const usable = callableTools({ tools, toolChoice }).filter((tool) => !isDestructive(tool))
  const planned = sentencesOf(plain).flatMap((one) => [...aboutWeather(one, usable), ...told(one, usable)])
  if (planned.length > 0 || !isForced(toolChoice)) return planned.slice(0, 8)
  const safeFirst = ['weather', 'read', 'list', 'shell', undefined, 'write']
  const order = safeFirst.flatMap((kind) => usable.find((tool) => kindOf(tool) === kind) ?? [])
  return order.slice(0, 1).map((tool) => ({ tool }))
}

function aboutWeather(sentence: string, tools: readonly Tool[]): readonly PlannedCall[] {
  const tool = weather.test(sentence) ? tools.find((one) => canDo('weather', one)) : undefined
  return tool === undefined ? [] : placesIn(sentence).map((place) => ({ tool, place }))
}

/** What a sentence tells to do, if it begins with that. */
function told(sentence: string, tools: readonly Tool[]): readonly PlannedCall[] {
  const clauses = clausesOf(sentence).map((clause) => ({ clause, rule: rules.find(([asks]) => asks.test(clause)) }))
  if (clauses[0]?.rule === undefined) return []
  return clauses.flatMap(({ clause, rule }) => {
    const able = (rule?.[1] ?? []).flatMap(([kind, command]) =>
      tools.filter((tool) => canDo(kind, tool)).map((tool) => ({ tool, command })),
    )
    const best = able.find(({ tool }) => /write|create/i.test(tool.name)) ?? able[0]
    return best === undefined ? [] : [{ ...best, file: files.find((file) => clause.includes(file)), says: rule?.[2] }]
  })
}

function quote(results: readonly string[], tools: readonly Tool[]): string {
  const [first = '', ...more] = results.map((text) => withoutCalls(text, tools) || '(nothing)')
  if (more.length === 0) return `The tool answered: ${first}`
  return ['The tools answered:', ...[first, ...more].map((text) => `- ${text}`)].join('\n')
}

/** What could be read as a call or an element loses the signs that make it one. */
function withoutCalls(text: string, tools: readonly Tool[]): string {
  const short = text.length > 600 ? `${text.slice(0, 600)}…` : text
  const isPlain = !/[<`]/.test(short) && !tools.some(({ name }) => short.toLowerCase().includes(name.toLowerCase()))
  return isPlain ? short : short.replace(/[<>{}[\]|`"]+/g, ' ')
}

function introduce(plain: string, tools: readonly Tool[]): string {
  const self = 'I am the rehearsal model, a stand-in that matches words and knows nothing.'
  const said = plain === '' ? '' : ` You said: ${withoutCalls(plain, tools)}`
  return tools.length === 0 ? self + said : `${self} Nothing in the message plainly asks for one of my tools.${said}`
}
