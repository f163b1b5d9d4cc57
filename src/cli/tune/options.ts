import { durationPattern, toMilliseconds } from '../../config/values/fields.ts'
import { nearest } from '../../protocol/text/nearest.ts'
import { everyWay, fittingWays, isWay, nativeWay, type ServerWays, templateWay, type Way } from '../../tune/ways.ts'
import { UsageError } from '../arguments.ts'

interface Choice extends ServerWays {
  /** As the command line says it: names with commas between. */
  readonly named?: string | undefined
  readonly all: boolean
  /** As its server calls it. */
  readonly model: string
}

export function chooseWays({ named, all, model, ...server }: Choice): readonly Way[] {
  if (named === undefined) return all ? everyWay(server) : fittingWays(model, server)
  if (all) throw new UsageError('Use either --dialects or --all.')
  const ways = [...new Set(named.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const wrong = ways.find((way) => !isWay(way))
  if (wrong !== undefined) {
    const meant = nearest(wrong, everyWay({ takesNative: true, takesTemplate: true }))
    throw new UsageError(
      `There is no format "${wrong}". ${meant === undefined ? '' : `Did you mean "${meant}"? `}Run \`dragoman dialects\` for the list.`,
    )
  }
  if (ways.length === 0) throw new UsageError('--dialects needs at least one name, like hermes,json-fence.')
  if (!server.takesNative && ways.includes(nativeWay))
    throw new UsageError('This model server has no native tool calls. Leave out `native`.')
  if (!server.takesTemplate && ways.some((way) => way.split('+', 1)[0] === templateWay))
    throw new UsageError("This model server's chat template can't be made to tell the tools. Leave out `template`.")
  return ways
}

/** Percentage points as a share. */
export function readShare(flag: string, text: string): number {
  const points = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(points > 0 && points < 50))
    throw new UsageError(`--${flag} must be a number of points from 1 to 50, not "${text}".`)
  return points / 100
}

export function readBudget(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (!durationPattern.test(text))
    throw new UsageError(`--budget must be a time such as 90s, 30m or 2h, not "${text}".`)
  return toMilliseconds(text)
}
