import { parseDocument, stringify } from 'yaml'
import type { SettingsFile } from './connect-clients.ts'
import { Refusal } from './input.ts'

type Fields = Readonly<Record<string, unknown>>

/** The settings as a file of their own. */
export function printSettings({ format, value, frame }: SettingsFile): string {
  if (format === 'env') return toLines(value).join('\n').concat('\n')
  const whole = { ...frame, ...value }
  return format === 'json' ? `${JSON.stringify(whole, undefined, 2)}\n` : stringify(whole)
}

/** The text of a file with the settings in it: what it says beside them stays. */
export function mergeSettings(file: SettingsFile, text: string): string {
  if (text.trim() === '') return printSettings(file)
  if (file.format === 'env') return mergeLines(text, file.value)
  if (file.format === 'yaml') return mergeYaml(file, text)
  const there = orRefuse(file, () => JSON.parse(text))
  return `${JSON.stringify(mergeFields(there, file.value), undefined, 2)}\n`
}

/** Comments stay, but for those inside what is replaced. */
function mergeYaml(file: SettingsFile, text: string): string {
  const document = parseDocument(text)
  const there = orRefuse(file, () => document.toJS({ maxAliasCount: 100 }))
  for (const [key, value] of Object.entries(file.value)) document.set(key, mergeValue(there[key], value))
  return document.toString()
}

function orRefuse({ path, format }: SettingsFile, read: () => unknown): Fields {
  try {
    const value = read()
    if (isFields(value)) return value
  } catch {
    // Comments in JSON, most often: writing it anew would lose them.
  }
  throw new Refusal(`${path} is there and is no plain ${format.toUpperCase()}: put the settings in by hand.`)
}

function mergeFields(there: Fields, wanted: Fields): Fields {
  const merged: Record<string, unknown> = { ...there }
  for (const [key, value] of Object.entries(wanted)) merged[key] = mergeValue(there[key], value)
  return merged
}

function mergeValue(there: unknown, wanted: unknown): unknown {
  if (isFields(there) && isFields(wanted)) return mergeFields(there, wanted)
  if (Array.isArray(there) && Array.isArray(wanted)) return mergeList(there, wanted)
  return wanted
}

/** Lists of models: an entry replaces the one of the same name. */
function mergeList(there: readonly unknown[], wanted: readonly unknown[]): readonly unknown[] {
  const names = new Set(wanted.map(nameOfEntry))
  const others = there.filter((entry) => !names.has(nameOfEntry(entry)))
  return wanted.every(isFields) ? [...others, ...wanted] : wanted
}

function nameOfEntry(entry: unknown): unknown {
  return isFields(entry) ? (entry['id'] ?? entry['name']) : entry
}

function toLines(value: Fields): readonly string[] {
  return Object.entries(value).map(([name, text]) => `${name}=${text}`)
}

function mergeLines(text: string, value: Fields): string {
  const lines = text.trimEnd().split('\n')
  const others = lines.filter(
    (line) => !Object.hasOwn(value, line.replace(/^\s*(?:export\s+)?/, '').split('=')[0] ?? ''),
  )
  return [...others, ...toLines(value), ''].join('\n')
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
