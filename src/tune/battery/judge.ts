import type { Answer, FoldedCall } from '../../protocol/fold.ts'
import { isJsonObject, parseJson } from '../../protocol/json.ts'
import type { Solution, WantedCall } from './task.ts'

/** Whether an answer does the task. */
export function isDone(
  { calls: wanted, words = '' }: Solution,
  { calls, content }: Pick<Answer, 'calls' | 'content'>,
): boolean {
  if (calls.length !== wanted.length) return false
  if (wanted.length === 0) return content.trim() !== '' && content.toLowerCase().includes(words.toLowerCase())
  const left = [...calls]
  return wanted.every((one) => {
    const index = left.findIndex((call) => isCalledWith(call, one))
    if (index !== -1) left.splice(index, 1)
    return index !== -1
  })
}

/**
 * Whether a call is the one that was wanted: the same tool, and every argument that was asked for. Further arguments may be
 * there, for models like to fill in defaults; that they fit the schema is looked at elsewhere.
 */
function isCalledWith({ name, arguments: json }: Pick<FoldedCall, 'name' | 'arguments'>, wanted: WantedCall): boolean {
  const given = parseJson(json)
  if (name === wanted.name && isLike(given, wanted.arguments)) return true
  return isJsonObject(given) && wanted.also?.({ name, arguments: given }) === true
}

/** As equal as a tool would find them: case, and space at the ends of lines, are no difference; 3 and "3" are. */
function isLike(value: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'string') return typeof value === 'string' && plain(value) === plain(wanted)
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) && value.length === wanted.length && wanted.every((one, index) => isLike(value[index], one))
    )
  }
  if (isJsonObject(wanted)) {
    return isJsonObject(value) && Object.entries(wanted).every(([key, one]) => isLike(value[key], one))
  }
  return value === wanted
}

function plain(text: string): string {
  return text
    .normalize()
    .replace(/[ \t]+$/gm, '')
    .trim()
    .toLowerCase()
}
