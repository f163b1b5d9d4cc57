import type { IdForm } from '../dialects/dialect.ts'

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A call's id in the form a dialect demands. Our own ids never leave for the model as they are: these are made from them,
 * always the same way, so that a call and its result agree.
 */
export function toDialectId(form: IdForm | undefined, id: string, name: string, ordinal: number): string {
  switch (form) {
    case undefined:
      return id
    case 'kimi':
      return `functions.${name}:${ordinal}`
    case 'ordinal':
      return String(ordinal)
    case 'count':
      return String(ordinal + 1)
    case 'mistral':
      return /^[A-Za-z0-9]{9}$/.test(id) ? id : hash(id, 9, 62)
    case 'solar':
      return /^[a-z0-9]{10}$/.test(id) ? id : hash(id, 10, 36).toLowerCase()
    default:
      return form satisfies never
  }
}

/** `length` letters and digits that differ where ids differ. */
function hash(id: string, length: number, radix: number): string {
  let high = 0x811c9dc5
  let low = 0x01000193
  let out = ''
  for (let round = 0; out.length < length; round++) {
    for (let i = 0; i < id.length; i++) {
      high = Math.imul(high ^ (id.charCodeAt(i) + round), 0x01000193) >>> 0
      low = Math.imul(low + high + i, 0x85ebca6b) >>> 0
    }
    high = Math.imul(high ^ (low >>> 13), 0xc2b2ae35) >>> 0
    out += alphanumerics.charAt(((high ^ low) >>> 0) % radix)
  }
  return out
}
