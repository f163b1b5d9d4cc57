import type { Summary } from '../../src/traces/exchange.ts'

/**
 * What is searched for: words that may stand anywhere (`qwen`, `"two words"`), fields (`model:qwen`, `status:5`, `calls:0`),
 * amounts (`total>2s`, `first<300`, `tokens>1k`), what was asked or said (`body:"rm -rf"`, which the gateway looks for),
 * and any of them turned round with a minus (`-client:cline`).
 */
export type Filter = (summary: Summary) => boolean

type Test = Filter

const texts: Readonly<Record<string, (summary: Summary) => readonly (string | undefined)[]>> = {
  id: ({ id, requestId }) => [id, requestId],
  client: ({ client }) => [client],
  key: ({ keyName }) => [keyName],
  door: ({ door, path }) => [door, path],
  model: ({ model, upstreamModel }) => [model, upstreamModel],
  service: ({ service }) => [service],
  mode: ({ mode }) => [mode],
  dialect: ({ dialect }) => [dialect],
  state: ({ state }) => [state],
  status: ({ status }) => [status === undefined ? undefined : String(status)],
  error: ({ error }) => [error?.code, error?.message],
  note: ({ notes }) => notes,
  text: ({ gist, reply }) => [gist, reply],
  conversation: ({ conversation }) => [conversation],
}

const amounts: Readonly<Record<string, (summary: Summary) => number | undefined>> = {
  first: ({ firstByteMs }) => firstByteMs,
  total: ({ totalMs }) => totalMs,
  tokens: ({ usage }) => usage && usage.promptTokens + usage.completionTokens,
  calls: ({ calls }) => calls,
  notes: ({ notes }) => notes.length,
  status: ({ status }) => status,
}

export const filterFields: readonly string[] = [...new Set([...Object.keys(texts), ...Object.keys(amounts), 'body'])]

/** The ids of the exchanges in which a text was asked or said; undefined while that is not known. */
export type FindInBodies = (text: string) => ReadonlySet<string> | undefined

const bodyWord = /^-?body:(.+)$/s

/** The texts that are to be looked for in what was asked and said. */
export function bodyTextsOf(query: string): readonly string[] {
  return wordsOf(query).flatMap((word) => unquoted(bodyWord.exec(word)?.[1] ?? '') || [])
}

/** What an exchange has in a field that is a text. */
export function fieldValues(field: string, summary: Summary): readonly string[] {
  const read = Object.hasOwn(texts, field) ? texts[field] : undefined
  return read?.(summary).filter((text) => text !== undefined) ?? []
}

const everything = Object.values(texts)

const number = /^(\d+(?:\.\d+)?)(ms|s|min|k)?$/

const wordsOf = (query: string): readonly string[] =>
  [...query.matchAll(/-?(?:[\w]+[:<>=]+)?(?:"[^"]*"?|[^\s"]+)/g)].map(([word]) => word)

/** What may be wrong with a search that found nothing, as a sentence. */
export function hintFor(query: string): string | undefined {
  for (const word of wordsOf(query)) {
    const [, field = '', sign = '', value = ''] = /^-?(\w+)([:<>=]+)(.*)$/s.exec(word) ?? []
    if (field === '') continue
    if (!filterFields.includes(field)) return `There is no field “${field}”. The fields are ${filterFields.join(', ')}.`
    if (sign !== ':' && !Object.hasOwn(amounts, field))
      return `“${field}” is a text: write ${field}:word. Compare ${Object.keys(amounts).join(', ')}.`
    if (sign !== ':' && !number.test(value)) return `Compare ${field} with a number, such as 300, 2s or 1k.`
  }
  return undefined
}

export function toFilter(query: string, inBodies: FindInBodies = () => undefined): Filter {
  const tests = wordsOf(query).map((word) => toTest(word, inBodies))
  return (summary) => tests.every((test) => test(summary))
}

function toTest(word: string, inBodies: FindInBodies): Test {
  if (word.startsWith('-') && word.length > 1) {
    const test = toTest(word.slice(1), inBodies)
    return (summary) => !test(summary)
  }
  if (word.startsWith('body:')) {
    const found = inBodies(unquoted(word.slice('body:'.length)))
    return ({ id }) => found?.has(id) ?? true
  }
  const [, field = '', sign = '', value = ''] = /^(\w+)([:<>=]+)(.*)$/s.exec(word) ?? []
  return toAmount(field, sign, unquoted(value)) ?? toField(field, unquoted(value)) ?? toWord(unquoted(word))
}

function toField(field: string, value: string): Test | undefined {
  const read = Object.hasOwn(texts, field) ? texts[field] : undefined
  if (read === undefined) return undefined
  const wanted = value.toLowerCase()
  // A field that is being typed does not empty the list.
  if (wanted === '') return () => true
  return (summary) => read(summary).some((text) => text?.toLowerCase().includes(wanted) ?? false)
}

const signs: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '>': (one, other) => one > other,
  '<': (one, other) => one < other,
  '>=': (one, other) => one >= other,
  '<=': (one, other) => one <= other,
  '=': (one, other) => one === other,
  ':>': (one, other) => one > other,
  ':<': (one, other) => one < other,
  ':': (one, other) => one === other,
}

const units: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1_000, min: 60_000, k: 1_000 }

function toAmount(field: string, sign: string, value: string): Test | undefined {
  const read = Object.hasOwn(amounts, field) ? amounts[field] : undefined
  // `status:5` is all of 500 and up.
  if (read === undefined || (sign === ':' && field in texts)) return undefined
  const [, digits, unit = ''] = number.exec(value) ?? []
  const compare = signs[sign]
  if (value === '') return () => true
  if (digits === undefined || compare === undefined) return undefined
  const limit = Number(digits) * (units[unit] ?? 1)
  return (summary) => {
    const amount = read(summary)
    return amount !== undefined && compare(amount, limit)
  }
}

function toWord(value: string): Test {
  const wanted = value.toLowerCase()
  return (summary) => everything.some((read) => read(summary).some((text) => text?.toLowerCase().includes(wanted)))
}

function unquoted(value: string): string {
  return value.replace(/^"|"$/g, '')
}
