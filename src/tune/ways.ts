import { commonDialects, dialects, findDialect } from '../dialects/registry.ts'
import type { ModelSettings } from '../turn/settings.ts'

/**
 * How tools reach a model: `native`, `template`, or the name of the dialect they are taught in, and behind a plus how: `hermes+reminder=off`.
 */
export type Way = string

export const nativeWay: Way = 'native'
export const templateWay: Way = 'template'

/** The ways a model's server has of its own. */
export interface ServerWays {
  readonly takesNative: boolean
  readonly takesTemplate: boolean
}

/** What a way may say besides its dialect. */
const levers: Readonly<Record<string, readonly string[]>> = {
  reminder: ['on', 'off'],
  listing: ['full', 'short', 'signatures'],
}

/**
 * The ways that fit a model: its server's own, the dialects of its kind, and those every kind of model has seen a lot of. The
 * one it would be taught is tried without its reminder and with its tools as signatures, too.
 */
export function fittingWays(model: string, server: ServerWays): readonly Way[] {
  const own = dialects.filter(({ speaks }) => speaks?.test(model) === true).map(({ name }) => name)
  const taught = [...new Set([...own, ...commonDialects])]
  const varied = ['reminder=off', 'listing=signatures'].map((lever) => `${taught[0] ?? ''}+${lever}`)
  return [...waysOf(server), ...taught, ...varied]
}

export function everyWay(server: ServerWays): readonly Way[] {
  return [...waysOf(server), ...dialects.map(({ name }) => name)]
}

function waysOf({ takesNative, takesTemplate }: ServerWays): readonly Way[] {
  return [...(takesNative ? [nativeWay] : []), ...(takesTemplate ? [templateWay] : [])]
}

export function isWay(name: string): boolean {
  const [way = '', ...more] = name.split('+')
  if (way === nativeWay) return more.length === 0
  return (way === templateWay || findDialect(way) !== undefined) && more.every((one) => isLever(one))
}

function isLever(text: string): boolean {
  const [key = '', value = ''] = text.split('=')
  return levers[key]?.includes(value) === true
}

/** What the config file says for a way. */
export function settingsFor(way: Way): Partial<ModelSettings> {
  const [name = '', ...more] = way.split('+')
  const told = Object.fromEntries(more.map((one) => one.split('=', 2)))
  if (name === nativeWay || name === templateWay) return { tools: name === nativeWay ? 'native' : 'template', ...told }
  return { tools: 'prompt', dialect: name, ...told }
}
