import type { ContextWindow } from '../../upstreams/upstream.ts'

/** Less than this is soon full of tools and files. */
const enough = 16_384

/** What people should know of a context before it is full, as sentences; undefined where there is nothing to fear. */
export function contextWarning(model: string, { tokens, most, cuts, remedy }: ContextWindow): string | undefined {
  if (cuts !== true || (tokens ?? 0) >= Math.min(enough, most ?? enough)) return undefined
  if (tokens === undefined && most !== undefined && most <= 4_096) return undefined
  const of = most === undefined || most === tokens ? '' : ` of its ${figure(most)}`
  const has =
    tokens === undefined
      ? `${model} may get only 4,096${of} tokens of context.`
      : `${model} gets ${figure(tokens)}${of} tokens of context.`
  return [has, 'Anything that does not fit is cut off without an error.', remedy].filter(Boolean).join(' ')
}

function figure(tokens: number): string {
  return tokens.toLocaleString('en-US')
}
