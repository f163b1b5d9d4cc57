import type { Dialect } from '../../src/dialects/dialect.ts'

const slot = /\{(?:name|id|key|content|index|type)\}/
const cache = new Map<Dialect, readonly string[]>()

/**
 * Every literal of a dialect: whatever strings its grammar, its thoughts and its dropped marks are made of, slots and
 * layout aside. Walks the record blindly, so that a new kind of grammar needs nothing here.
 */
export function marksOf(dialect: Dialect): readonly string[] {
  let marks = cache.get(dialect)
  if (marks === undefined) {
    const found = stringsIn([dialect.grammar, dialect.reasoning, dialect.dropped])
    const literals = found.flatMap((text) => text.split(slot)).flatMap((text) => text.split('\n'))
    // Plain words are settings (`envelope`, `arguments`), not marks.
    marks = [...new Set(literals.map((text) => text.trim()).filter((text) => /[^\w-]/.test(text)))]
    cache.set(dialect, marks)
  }
  return marks
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return []
  return Object.values(value).flatMap(stringsIn)
}

const firstStandIn = 0x2460

/** In generated text ①, ② … stand for the marks of whichever dialect the text is made for. */
export const standIns: readonly string[] = Array.from({ length: 48 }, (_, index) =>
  String.fromCharCode(firstStandIn + index),
)

/** The text with its stand-ins replaced by the dialect's marks. */
export function localise(text: string, dialect: Dialect): string {
  return text.replace(/[\u2460-\u248f]/g, (char) => markFor(char, dialect))
}

/** What the stand-ins in a failing sample mean. */
export function legend(sample: string, dialect: Dialect): string {
  const used = standIns.filter((char) => sample.includes(char))
  return used.map((char) => `${char} is ${JSON.stringify(markFor(char, dialect))}`).join(', ')
}

function markFor(standIn: string, dialect: Dialect): string {
  const marks = marksOf(dialect)
  return marks[(standIn.charCodeAt(0) - firstStandIn) % marks.length] ?? ''
}
