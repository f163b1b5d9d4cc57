import type { Json } from '../json.ts'

/** What a client said, to tell the words of a service from those it merely quotes. */
export interface ClientWords {
  /** Whether the client itself wrote this, in whatever spelling, quoting or escaping it comes back. */
  has(phrase: string): boolean
}

/** `value` is what was sent: all texts in it count, and the names of fields inside the fields. Read only when asked. */
export function createClientWords(value: unknown): ClientWords {
  let said: string | undefined
  return {
    has(phrase) {
      said ??= normalise(textsIn(value as Json, 0).join(' '))
      const sought = normalise(phrase).trim()
      return sought !== '' && said.includes(sought)
    },
  }
}

const maxDepth = 200

function textsIn(value: Json | undefined, depth: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > maxDepth) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const texts = textsIn(inner as Json, depth + 1)
    return depth === 0 ? texts : [key, ...texts]
  })
}

/** Letters and figures only: quotes, escapes and invisible characters change on the way. */
function normalise(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/\\+(?:[nrt]|u[0-9a-f]{4})|&#?\w+;/gi, ' ')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
}
