import { readValues } from './values.ts'

/** What a clause offers; values leave it as arguments take them. */
export interface Purse {
  readonly clause: string
  readonly quoted: string[]
  readonly urls: string[]
  readonly paths: string[]
  readonly numbers: number[]
  readonly names: string[]
}

export function openPurse(clause: string): Purse {
  const { quoted, urls, paths, numbers, names } = readValues(clause)
  return { clause, quoted: [...quoted], urls: [...urls], paths: [...paths], numbers: [...numbers], names: [...names] }
}

/** A text that was assigned by name is not offered again. */
export function spendText(purse: Purse, text: string): string {
  for (const list of [purse.quoted, purse.urls, purse.paths, purse.names]) {
    const at = list.indexOf(text)
    if (at >= 0) list.splice(at, 1)
  }
  return text
}

export function spendNumber(purse: Purse, value: number): number {
  const at = purse.numbers.indexOf(value)
  if (at >= 0) purse.numbers.splice(at, 1)
  return value
}
