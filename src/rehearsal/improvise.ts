import type { Call } from '../protocol/call.ts'
import { type Message, textOf } from '../protocol/message.ts'
import type { Tool, ToolChoice } from '../protocol/tool.ts'
import type { UpstreamRequest } from '../upstreams/upstream.ts'
import { fillArguments } from './fill.ts'
import { type Asked, pickTools } from './pick.ts'
import type { Voice } from './voice.ts'
import { unwrap } from './words.ts'

const MOST_QUOTED = 600
/** A request stands at the beginning; patterns are not let loose on more. */
const MOST_READ = 4000

/** What the rehearsal model has made up its mind to say. */
export interface Line {
  readonly reasoning?: string
  readonly text: string
  /** Native calls; taught ones are in the text. */
  readonly calls: readonly Call[]
}

export interface Habits {
  /** Whether it says a sentence before it calls. Default true. */
  readonly prose?: boolean
  /** How many calls it makes whenever it makes any: those asked for, over and over. Default: those asked for. */
  readonly calls?: number
  /** Whether it thinks first. */
  readonly thinking?: boolean
}

/** The answer to a request: always the same for the same request. */
export function improvise(request: UpstreamRequest, voice: Voice | undefined, habits: Habits): Line {
  const { messages, tools: native } = request
  const last = textOf(messages.findLast(isUser)?.content ?? '')
  const heard = native.length > 0 ? undefined : voice?.hear(teachingOf(messages), last)
  const results = resultsIn(messages) ?? (heard?.question ? undefined : heard?.results) ?? []
  if (results.length > 0) return withThought(habits, 'The tools have answered.', { text: quote(results), calls: [] })

  const question = unwrap(heard?.question ?? last).slice(0, MOST_READ)
  const offered = native.length > 0 ? native : (heard?.tools ?? [])
  const asked = pickAllowed(question, offered, heard?.choice ?? request.toolChoice)
  if (asked.length === 0) {
    return withThought(habits, 'No tool is needed.', { text: admit(question, offered), calls: [] })
  }
  const onlyOne = heard?.onlyOne === true || request.parallelCalls === false
  const calls = toCalls(asked, onlyOne ? 1 : (habits.calls ?? asked.length), `call_rehearsal_${messages.length}`)
  const names = [...new Set(calls.map((call) => call.name))].join(' and ')
  const prose = habits.prose === false ? '' : `I'll use ${names}.`
  const taught = heard ? heard.print(calls) : ''
  return withThought(habits, `The message asks for ${names}.`, {
    text: prose && taught ? `${prose}\n\n${taught}` : prose || taught,
    calls: heard ? [] : calls,
  })
}

function isUser(message: Message): boolean {
  return message.role === 'user'
}

function withThought(habits: Habits, reasoning: string, line: Line): Line {
  return habits.thinking ? { ...line, reasoning } : line
}

/** Where teaching can stand: see Voice. */
function teachingOf(messages: readonly Message[]): string {
  const first = messages.find(isUser)
  return messages
    .filter((message) => message.role === 'system' || message === first)
    .map((message) => textOf(message.content))
    .join('\n\n')
}

/** The native results the conversation ends with. */
function resultsIn(messages: readonly Message[]): readonly string[] | undefined {
  const trailing = messages.slice(messages.findLastIndex((message) => message.role !== 'tool') + 1)
  return trailing.length > 0 ? trailing.map((message) => textOf(message.content)) : undefined
}

function pickAllowed(question: string, tools: readonly Tool[], choice: ToolChoice | undefined): readonly Asked[] {
  switch (choice?.mode) {
    case 'none':
      return []
    case 'required':
      return pickTools(question, tools, true)
    case 'named': {
      const named = tools.filter((tool) => tool.name === choice.name)
      return pickTools(question, named, true)
    }
    case 'allowed': {
      const allowed = tools.filter((tool) => choice.names.includes(tool.name))
      return pickTools(question, allowed, choice.required)
    }
    default:
      return pickTools(question, tools)
  }
}

function toCalls(asked: readonly Asked[], count: number, id: string): readonly Call[] {
  return Array.from({ length: Math.max(1, count) }, (_, index) => asked[index % asked.length])
    .filter((item) => item !== undefined)
    .map(({ tool, clause }, index) => ({
      id: `${id}_${index}`,
      kind: tool.kind,
      name: tool.name,
      arguments: fillArguments(tool, clause),
    }))
}

function quote(results: readonly string[]): string {
  const quoted = results.map((result) => {
    const text = result.trim()
    if (text === '') return '(nothing)'
    return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text
  })
  return quoted.length === 1
    ? `The tool answered: ${quoted[0]}`
    : `The tools answered:\n${quoted.map((text) => `- ${text}`).join('\n')}`
}

function admit(question: string, tools: readonly Tool[]): string {
  const self = 'I am the rehearsal model, a stand-in that matches words and knows nothing.'
  const said = question === '' ? '' : ` You said: ${question.slice(0, MOST_QUOTED)}`
  if (tools.length === 0) return self + said
  const names = tools.slice(0, 8).map((tool) => tool.name)
  const more = tools.length > names.length ? ` and ${tools.length - names.length} more` : ''
  return `${self} Nothing in the message asks for one of my tools (${names.join(', ')}${more}).${said}`
}
