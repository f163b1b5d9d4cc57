import { sha256 } from '../../bytes.ts'
import type { Traits } from './flavour.ts'

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A call's id in the form a service insists on. Ids that have it, such as its own, stay as they are; of others always the
 * same one is made, so that a call and its result agree.
 */
export function toServiceId(id: string, form: Traits['callIds']): string {
  if (form === undefined || /^[A-Za-z0-9]{9}$/.test(id)) return id
  const bytes = sha256(id)
  return Array.from(bytes.subarray(0, 9), (byte) => alphanumerics.charAt(byte % alphanumerics.length)).join('')
}
