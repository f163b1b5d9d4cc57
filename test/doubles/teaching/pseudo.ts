import type { Dialect } from '../../../src/dialects/dialect.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/protocol/json.ts'
import type { Tool } from '../../../src/protocol/tool.ts'
import { quoteOf } from '../../../src/turn/prompt/teach/listings/pseudo.ts'

/** Reads back the tools that were listed as declarations in a dialect's own quotes. */
export function readPseudo(list: string, dialect: Dialect): readonly Tool[] {
  const quote = quoteOf(dialect)
  return [...list.matchAll(/declaration:([\w-]+)(?=\{)/g)].flatMap(
    ({ 0: head, 1: name = '', index }): readonly Tool[] => {
      const value = createParser(list, index + head.length, quote)()
      if (!isJsonObject(value)) return []
      const { description, parameters } = value
      const words = typeof description === 'string' ? { description } : {}
      return [{ kind: 'function', name, ...words, ...(isJsonObject(parameters) ? { parameters } : {}) }]
    },
  )
}

function createParser(text: string, from: number, quote: string): () => Json {
  let at = from

  function string(): string | undefined {
    if (text.startsWith(quote, at)) {
      const end = text.indexOf(quote, at + quote.length)
      const found = text.slice(at + quote.length, end)
      at = end + quote.length
      return found
    }
    const json = /"(?:[^"\\]|\\.)*"/y
    json.lastIndex = at
    const [found] = json.exec(text) ?? []
    if (found === undefined) return undefined
    at += found.length
    return JSON.parse(found) as string
  }

  function bare(): string {
    const end = text.slice(at).search(/[:,[\]{}]/)
    const word = text.slice(at, end === -1 ? text.length : at + end)
    at += word.length
    return word
  }

  function value(): Json {
    const first = text[at]
    if (first === '{' || first === '[') {
      at += 1
      return first === '{' ? members() : items()
    }
    const found = string()
    if (found !== undefined) return found
    const word = bare()
    return word === 'true' || word === 'false' ? word === 'true' : word === 'null' ? null : Number(word)
  }

  function members(): JsonObject {
    const found: [string, Json][] = []
    while (at < text.length && text[at] !== '}') {
      const key = string() ?? bare()
      at += 1
      found.push([key, value()])
      if (text[at] === ',') at += 1
    }
    at += 1
    return Object.fromEntries(found)
  }

  function items(): readonly Json[] {
    const found: Json[] = []
    while (at < text.length && text[at] !== ']') {
      found.push(value())
      if (text[at] === ',') at += 1
    }
    at += 1
    return found
  }

  return value
}
