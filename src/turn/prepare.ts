import { type Message, textOf } from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import type { Tool, ToolChoice } from '../protocol/tool.ts'
import type { UpstreamRequest } from '../upstreams/upstream.ts'
import { createGuard, type Guard, openGuard } from './guard.ts'
import { tellHistory } from './history.ts'
import { normalise } from './normalise.ts'
import type { Approach } from './plan.ts'
import { teach } from './teach.ts'

export interface Prepared {
  readonly request: UpstreamRequest
  readonly guard: Guard
}

/** The request as this turn puts it to the upstream. */
export function prepare(request: Request, approach: Approach, clientKey?: string): Prepared {
  const { mode, settings, dialect } = approach
  // One turn is one answer: a client who wants several gets as many turns.
  const { choices: _choices, toolChoice, parallelCalls, ...rest } = request
  const shared = { ...rest, model: settings.model, ...(clientKey === undefined ? {} : { clientKey }) }
  if (dialect === undefined) {
    if (mode !== 'native') return { request: { ...shared, tools: [] }, guard: openGuard }
    return {
      request: {
        ...shared,
        ...(toolChoice === undefined ? {} : { toolChoice }),
        ...(parallelCalls === undefined ? {} : { parallelCalls }),
      },
      guard: openGuard,
    }
  }
  const taught = mode === 'prompt' ? request.tools : []
  const guard = mode === 'prompt' ? createGuard(dialect, taught) : openGuard
  const system = [...systemTexts(request.messages)]
  if (mode === 'prompt') {
    system.push(teach(dialect, taught))
    const wishes = sayWishes(toolChoice, parallelCalls === false && dialect.grammar.single !== true)
    if (wishes !== '') system.push(wishes)
  }
  const spoken = tellHistory(request.messages, dialect, guard.neutralise)
  const messages = normalise(system.join('\n\n'), spoken, settings.template)
  return { request: { ...shared, messages, tools: [] }, guard }
}

/** The tools whose calls count in this turn. */
export function callableTools({ tools, toolChoice }: Request): readonly Tool[] {
  if (toolChoice?.mode === 'named') return tools.filter(({ name }) => name === toolChoice.name)
  if (toolChoice?.mode === 'allowed') return tools.filter(({ name }) => toolChoice.names.includes(name))
  return tools
}

function systemTexts(messages: readonly Message[]): readonly string[] {
  return messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => textOf(content))
    .filter((text) => text !== '')
}

/**
 * What the client asks of this one answer, in words. It stands after the taught tools and not among them: the wish may
 * change from turn to turn, the tools before it stay the same bytes.
 */
function sayWishes(choice: ToolChoice | undefined, onlyOne: boolean): string {
  const wishes: string[] = []
  if (choice?.mode === 'required') wishes.push('Your next answer must call a tool.')
  if (choice?.mode === 'named') wishes.push(`Your next answer must call the tool ${choice.name} and no other tool.`)
  if (choice?.mode === 'allowed') {
    wishes.push(`For now, use only these tools: ${choice.names.join(', ')}.`)
    if (choice.required) wishes.push('Your next answer must call one of them.')
  }
  if (onlyOne) wishes.push('Call at most one tool in an answer.')
  return wishes.join(' ')
}
