import type { Note } from '../../protocol/event.ts'
import type { ContextWindow } from '../../upstreams/upstream.ts'
import type { Prepared } from '../prompt/prepare.ts'

/** Less than this is soon full of tools and files. */
const enough = 16_384
/** What Ollama gives a model where nothing else is set. */
const servedUntold = 4_096

/** What people should know of a context before it is full, as sentences; undefined where there is nothing to fear. */
export function contextWarning(model: string, { tokens, most, cuts, remedy }: ContextWindow): string | undefined {
  if (cuts !== true || (tokens ?? 0) >= Math.min(enough, most ?? enough)) return undefined
  if (tokens === undefined && most !== undefined && most <= servedUntold) return undefined
  const of = most === undefined || most === tokens ? '' : ` of its ${figure(most)}`
  const has =
    tokens === undefined
      ? `${model} may get only ${figure(servedUntold)}${of} tokens of context.`
      : `${model} gets ${figure(tokens)}${of} tokens of context.`
  return [has, 'Anything that does not fit is cut off without an error.', remedy].filter(Boolean).join(' ')
}

/** Tells of tools that take more of the context than they leave. */
export function toolsWarning({ request, taught }: Prepared, { tokens }: ContextWindow = {}): readonly Note[] {
  if (tokens === undefined) return []
  const characters = taught === '' ? JSON.stringify(request.tools).length : taught.length
  const size = Math.round(characters / 4)
  return size * 2 > tokens ? [{ type: 'note', kind: 'tools_large', detail: `${size} of ${tokens} tokens` }] : []
}

/** What clients should assume where a service does not say what it gives and cuts the rest off: the figure of the warning. */
export function assumedContext({ most = servedUntold, cuts }: ContextWindow): number | undefined {
  return cuts === true ? Math.min(servedUntold, most) : undefined
}

function figure(tokens: number): string {
  return tokens.toLocaleString('en-US')
}
