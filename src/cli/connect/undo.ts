import { isDeepStrictEqual } from 'node:util'
import type { SettingsFile } from './clients/client.ts'
import { isFields } from './jsonc.ts'
import { editSettings, readSettings } from './merge.ts'

type Fields = Readonly<Record<string, unknown>>

/** One file as it was before settings went into it, and what went in. */
export interface Written {
  readonly format: SettingsFile['format']
  /** Absent: there was no such file. */
  readonly before?: string
  readonly after: string
  readonly value: Fields
}

/**
 * The text without what was written; undefined: the file goes. A file that was left alone since is as it was, to the
 * byte. In one that was changed, each value that still is the one that was written goes, or becomes what it was.
 */
export function undo({ format, before, after, value }: Written, text: string): string | undefined {
  if (text === after) return before
  const had = readSettings(format, before ?? '')
  const steps = stepsBack(readSettings(format, text), value, had)
  // Later entries of a list first, so that places stay true.
  const edited = steps.toReversed().reduce((left, [path, old]) => editSettings(format, left, path, old), text)
  return before === undefined && Object.keys(readSettings(format, edited)).length === 0 ? undefined : edited
}

type Step = readonly [path: readonly (string | number)[], value: unknown]

function stepsBack(now: Fields, written: Fields, had: Fields): readonly Step[] {
  return Object.entries(written).flatMap(([key, value]): readonly Step[] => stepBack(key, now[key], value, had[key]))
}

function stepBack(key: string | number, now: unknown, written: unknown, had: unknown): readonly Step[] {
  if (now === undefined || isDeepStrictEqual(now, had)) return []
  if (isDeepStrictEqual(now, written)) return [[[key], had]]
  const under = ([path, value]: Step): Step => [[key, ...path], value]
  if (isFields(now) && isFields(written)) {
    const steps = stepsBack(now, written, isFields(had) ? had : {})
    return had === undefined && leavesNothing(now, steps) ? [[[key], undefined]] : steps.map(under)
  }
  if (!Array.isArray(now) || !Array.isArray(written)) return []
  const inList = written.filter(isFields).flatMap((entry): readonly Step[] => {
    const at = now.findIndex((one) => isFields(one) && nameOf(one) === nameOf(entry))
    const old = Array.isArray(had) ? had.filter(isFields).find((one) => nameOf(one) === nameOf(entry)) : undefined
    return at === -1 ? [] : stepBack(at, now[at], entry, old)
  })
  return had === undefined && now.length === inList.filter(([path]) => path.length === 1).length
    ? [[[key], undefined]]
    : inList.map(under)
}

function leavesNothing(now: Fields, steps: readonly Step[]): boolean {
  const gone = steps.filter(([path, value]) => path.length === 1 && value === undefined).map(([[key]]) => key)
  return Object.keys(now).every((key) => gone.includes(key))
}

function nameOf(entry: Fields): unknown {
  return entry['id'] ?? entry['name']
}
