import { commonDialects, dialects, findDialect } from '../dialects/registry.ts'
import type { ModelSettings } from '../turn/settings.ts'

/** How tools reach a model: `native`, or the name of the dialect they are taught in. */
export type Way = string

export const nativeWay: Way = 'native'

/** The ways that fit a model: its server's own, the dialects of its kind, and those every kind of model has seen a lot of. */
export function fittingWays(model: string, takesNative: boolean): readonly Way[] {
  const own = dialects.filter(({ speaks }) => speaks?.test(model) === true).map(({ name }) => name)
  return [...new Set([...(takesNative ? [nativeWay] : []), ...own, ...commonDialects])]
}

export function everyWay(takesNative: boolean): readonly Way[] {
  return [...(takesNative ? [nativeWay] : []), ...dialects.map(({ name }) => name)]
}

export function isWay(name: string): boolean {
  return name === nativeWay || findDialect(name) !== undefined
}

/** What the config file says for a way. */
export function settingsFor(way: Way): Partial<Pick<ModelSettings, 'tools' | 'dialect'>> {
  return way === nativeWay ? { tools: 'native' } : { tools: 'prompt', dialect: way }
}
