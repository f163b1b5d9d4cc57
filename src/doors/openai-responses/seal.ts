import { createHash } from 'node:crypto'

const mark = 'dragoman-1'

/**
 * Thoughts as the opaque text that clients carry from turn to turn. It keeps no secret (the client has read them): it
 * tells our own copy, whole and unchanged, from what others wrote into the same field.
 */
export function seal(thoughts: string): string {
  return [mark, digestOf(thoughts), Buffer.from(thoughts).toString('base64url')].join('.')
}

/** The thoughts of a seal; undefined when it is not ours, or not whole. */
export function unseal(sealed: unknown): string | undefined {
  if (typeof sealed !== 'string' || !sealed.startsWith(`${mark}.`)) return undefined
  const [, digest, encoded = ''] = sealed.split('.')
  const thoughts = Buffer.from(encoded, 'base64url').toString()
  return digest === digestOf(thoughts) ? thoughts : undefined
}

function digestOf(thoughts: string): string {
  return createHash('sha256').update(thoughts).digest('base64url').slice(0, 16)
}
