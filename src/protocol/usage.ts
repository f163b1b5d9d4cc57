import type { Usage } from './event.ts'

/** The figures of two answers together. */
export function addUsage(first: Usage, second: Usage): Usage {
  const sum = (name: 'cachedTokens' | 'cacheWriteTokens' | 'reasoningTokens') =>
    first[name] === undefined && second[name] === undefined ? {} : { [name]: (first[name] ?? 0) + (second[name] ?? 0) }
  return {
    promptTokens: first.promptTokens + second.promptTokens,
    completionTokens: first.completionTokens + second.completionTokens,
    ...sum('cachedTokens'),
    ...sum('cacheWriteTokens'),
    ...sum('reasoningTokens'),
    ...(first.estimated === true || second.estimated === true ? { estimated: true } : {}),
  }
}

/** The figures of several answers to one request; undefined where none has any. */
export function sumUsage(usages: readonly (Usage | undefined)[]): Usage | undefined {
  return usages
    .filter((usage) => usage !== undefined)
    .reduce<Usage | undefined>((sum, usage) => (sum === undefined ? usage : addUsage(sum, usage)), undefined)
}
