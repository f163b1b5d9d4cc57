import type { Tool } from '../../protocol/tool.ts'

interface Joined {
  readonly texts: readonly string[]
  readonly whole: string
}

/** By the tools' identity, as in `teach.ts`. */
const known = new WeakMap<readonly Tool[], readonly Joined[]>()
const most = 8

/**
 * The texts of a system message, with a blank line between them. Those of an agent are the same strings with every request,
 * which takes no time to see; to put them together, and to look through the result, takes longer than anything else that
 * is left to do for a short request (`bench/gateway`: short answers).
 */
export function joinTexts(texts: readonly string[], tools: readonly Tool[]): string {
  const before = known.get(tools) ?? []
  const found = before.find((one) => isSame(one.texts, texts))
  if (found !== undefined) return found.whole
  const whole = texts.join('\n\n')
  known.set(tools, [{ texts, whole }, ...before].slice(0, most))
  return whole
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index])
}
