import type { EmbeddingRequest } from '../../protocol/embedding.ts'
import { array, type Check, fail, integer, text, wrongType } from './fields.ts'

/** As many as OpenAI takes. */
const mostInputs = 2048

const tokens = array(integer(0), { min: 1 })

/** One text or the tokens of one, or a list of either. */
export const inputs: Check<EmbeddingRequest['inputs']> = (value, path) => {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) wrongType(value, path, 'a string or an array')
  if (value.length > 0 && value.every((item) => typeof item === 'number')) return [tokens(value, path)]
  return array<string | readonly number[]>((item, at) => (Array.isArray(item) ? tokens(item, at) : text(item, at)), {
    max: mostInputs,
  })(value, path)
}

/** Fails where a text is empty: a model makes nothing of it. */
export function expectFilled(given: EmbeddingRequest['inputs'], path: string): void {
  if (given.length === 0) fail('empty_array', `Invalid '${path}': it is empty. Give it at least one text.`, path)
  const empty = given.indexOf('')
  if (empty === -1) return
  const at = given.length === 1 ? path : `${path}[${empty}]`
  fail('invalid_value', `Invalid '${at}': it is an empty string. Give it a text.`, at)
}
