import type { JsonObject } from '../../../src/protocol/json.ts'
import type { Tool } from '../../../src/protocol/tool.ts'
import { usageHeading } from '../../../src/turn/prompt/teach/listing.ts'

/** Reads back the tools that were listed as headings with a list of parameters in words. */
export function readMarkdown(list: string): readonly Tool[] {
  const headings = [...list.matchAll(/^## ([\w-]{1,64})\n(?=Description: |Parameters:)/gm)]
  return headings.flatMap((heading, place) => {
    const section = list.slice(heading.index + heading[0].length, headings[place + 1]?.index ?? list.length)
    const usage = section.lastIndexOf(usageHeading)
    const body = usage === -1 ? section : section.slice(0, usage)
    const at = body.lastIndexOf('\nParameters:')
    const words = at === -1 ? '' : body.slice(0, at)
    const lines = body
      .slice(at + 1)
      .split('\n')
      .slice(1)
    const tool: Tool = { kind: 'function', name: heading[1] ?? '', parameters: readParameters(lines, 0) }
    return words.startsWith('Description: ') ? [{ ...tool, description: words.slice('Description: '.length) }] : [tool]
  })
}

const parameterLine = /^( *)- (.+?): \((required|optional)\) (.*)$/
const typeWords = /^(?:array of )*(?:any|string|number|integer|boolean|array|object|null)(?: or (?:array of )*\w+)*/

/** The parameters told in lines like `- path: (required) string - Where`. */
export function readParameters(lines: readonly string[], depth: number): JsonObject {
  const properties = new Map<string, JsonObject>()
  const required: string[] = []
  for (let place = 0; place < lines.length; place++) {
    const [, indent = '', name, need, rest = ''] = parameterLine.exec(lines[place] ?? '') ?? []
    if (name === undefined || indent.length !== depth * 2) continue
    const inner: string[] = []
    for (const line of lines.slice(place + 1)) {
      if ((parameterLine.exec(line)?.[1]?.length ?? Number.POSITIVE_INFINITY) <= depth * 2) break
      inner.push(line)
    }
    properties.set(name, readParameter(rest, inner, depth + 1))
    if (need === 'required') required.push(name)
  }
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function readParameter(rest: string, inner: readonly string[], depth: number): JsonObject {
  const [type = 'any'] = typeWords.exec(rest) ?? []
  const words = /^ - ([\s\S]*)$/.exec(rest.slice(type.length))?.[1]
  const values = /\(one of: ([^;]*?)(?:;.*)?\)$/.exec(rest)?.[1]
  const nested = inner.some((line) => parameterLine.test(line)) ? readParameters(inner, depth) : undefined
  return {
    ...toSchema(type, nested),
    ...(words === undefined ? {} : { description: words }),
    ...(values === undefined ? {} : { enum: readValues(values) }),
  }
}

function toSchema(words: string, nested: JsonObject | undefined): JsonObject {
  const alternatives = words.split(' or ')
  const [first = 'any'] = alternatives
  if (first.startsWith('array of ')) return { type: 'array', items: toSchema(first.slice('array of '.length), nested) }
  const types = alternatives.filter((name) => /^(?:string|number|integer|boolean|array|object|null)$/.test(name))
  const [single] = types
  if (single === undefined) return {}
  const type = types.length === 1 ? single : types
  if (nested === undefined) return { type }
  return single === 'array' ? { type, items: nested } : { ...nested, type }
}

function readValues(text: string): JsonObject[string] {
  try {
    return JSON.parse(`[${text}]`) as JsonObject[string]
  } catch {
    // Values that are no JSON are listed as they stand.
    return [text]
  }
}
