import type { Dialect } from '../../../../dialects/dialect.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json.ts'
import type { Tool } from '../../../../protocol/tool.ts'

/** What stands around a text. */
export function quoteOf({ grammar }: Dialect): string {
  return grammar.arguments.as === 'pseudo' ? grammar.arguments.quote : '"'
}

/** declaration:get_temp{description:<|"|>Read a sensor<|"|>,parameters:{properties:{room:{type:<|"|>STRING<|"|>}},type:<|"|>OBJECT<|"|>}} */
export function listAsPseudo({ name, description, parameters }: Tool, dialect: Dialect): string {
  const declared: JsonObject = {
    ...(description === undefined ? {} : { description }),
    parameters: isJsonObject(parameters) ? parameters : { type: 'object', properties: {} },
  }
  return `declaration:${name}${print(declared, quoteOf(dialect))}`
}

function print(value: Json, quote: string, key = ''): string {
  if (typeof value === 'string') {
    const text = key === 'type' ? value.toUpperCase() : value
    return text.includes(quote) ? JSON.stringify(text) : quote + text + quote
  }
  if (Array.isArray(value)) return `[${value.map((item: Json) => print(item, quote, key)).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => {
    return `${/^[\w$.-]+$/.test(name) ? name : print(name, quote)}:${print(member, quote, isWord(member) ? name : '')}`
  })
  return `{${members.join(',')}}`
}

/** A property may itself be called `type`: then it is a schema, and no word. */
function isWord(value: Json): boolean {
  return typeof value === 'string' || Array.isArray(value)
}
