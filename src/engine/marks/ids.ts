import type { IdForm } from '../../dialects/dialect.ts'
import { printTemplate } from './template.ts'

/**
 * A call's id in the form a dialect demands. Our own ids never leave for the model as they are: these are made from them,
 * always the same way, so that a call and its result agree.
 */
export function toDialectId(form: IdForm | undefined, id: string, name: string, ordinal: number): string {
  if (form === undefined) return id
  if ('template' in form) return printTemplate(form.template, { name, number: String(form.first + ordinal) })
  const isOne = id.length === form.length && [...id].every((char) => form.alphabet.includes(char))
  return isOne ? id : hash(id, form.length, form.alphabet)
}

/** Whether what stands for an id that holds the name was made elsewhere, `call_9f8e7d`, or only counts. */
export function isForeignId(form: IdForm | undefined, id: string): boolean {
  const [, tail] = form !== undefined && 'template' in form ? form.template.split('{name}') : []
  if (tail === undefined || !/\d/.test(id)) return false
  return !new RegExp(`\\D${tail.replace('{number}', '\\d+')}$`).test(id)
}

/** So many characters that differ where ids differ. */
function hash(id: string, length: number, alphabet: string): string {
  let high = 0x811c9dc5
  let low = 0x01000193
  let out = ''
  for (let round = 0; out.length < length; round++) {
    for (let i = 0; i < id.length; i++) {
      high = Math.imul(high ^ (id.charCodeAt(i) + round), 0x01000193) >>> 0
      low = Math.imul(low + high + i, 0x85ebca6b) >>> 0
    }
    high = Math.imul(high ^ (low >>> 13), 0xc2b2ae35) >>> 0
    out += alphabet.charAt(((high ^ low) >>> 0) % alphabet.length)
  }
  return out
}
