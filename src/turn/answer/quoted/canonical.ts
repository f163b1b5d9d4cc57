import { isDeeperThan, isJsonObject, type Json, parseJson } from '../../../protocol/json.ts'

/** Characters that show nothing: joiners, zero-width blanks, soft hyphens, marks of direction, variation selectors. */
const invisible = /[\p{Cf}\p{Variation_Selector}]+/gu

export function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}

/** Text without white space, what is invisible, and backticks, which a quotation may have and its copy not. */
export function squeeze(text: string): string {
  return withoutInvisible(text).replace(/[\s`]+/g, '')
}

/** Deeper ones are compared as text. */
const maxDepth = 64

/**
 * Arguments in the one spelling by which calls are compared: the order of keys, white space, invisible characters, and
 * whether a value is written as a text or as what the text says, are left out of account.
 */
export function canonicalJson(json: string): string {
  const value = parseJson(json)
  return value === undefined || isDeeperThan(value, maxDepth) ? squeeze(json) : canonical(value)
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(squeeze(key))}:${canonical(member)}`)
    return `{${members.toSorted().join()}}`
  }
  const text = String(value)
  return /^\s*[[{]/.test(text) && parseJson(text) !== undefined ? canonicalJson(text) : JSON.stringify(squeeze(text))
}

/** The single values in arguments, as they are compared. */
export function leavesOf(json: string): readonly string[] {
  const value = parseJson(json)
  return value === undefined || isDeeperThan(value, maxDepth) ? [squeeze(json)] : leaves(value)
}

function leaves(value: Json): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap((inner: Json) => leaves(inner))
  return value === null ? [] : [squeeze(String(value))]
}
