import type { Dialect, ToolListing } from '../dialects/dialect.ts'
import { dialects } from '../dialects/registry.ts'
import { printCalls } from '../engine/print.ts'
import { isJsonObject, type Json, type JsonSchema } from '../protocol/json.ts'
import type { Tool } from '../protocol/tool.ts'
import { readMarkdown } from './hear-markdown.ts'

/** What a prompt taught, as a model that reads it would understand it. */
interface Heard {
  readonly dialect: string
  readonly tools: readonly Tool[]
  print(calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]): string
  /** The results the conversation ends with, when it ends with results. */
  readonly results?: readonly string[]
}

/** The inverse of teaching: lets an embedded model really read its prompt instead of being handed the tools. */
interface Voice {
  hear(text: string): Heard | undefined
}

export function createVoice(): Voice {
  return { hear }
}

function hear(text: string): Heard | undefined {
  const found = findTeaching(text)
  if (found === undefined) return undefined
  const { dialect, list } = found
  const results = readResults(text.slice(found.end), dialect)
  return {
    dialect: dialect.name,
    tools: readers[dialect.teaching.tools.style](list, dialect.teaching.tools.separator),
    print: (calls) => printCalls(dialect, calls),
    ...(results === undefined ? {} : { results }),
  }
}

interface Found {
  readonly dialect: Dialect
  /** The listed tools. */
  readonly list: string
  /** Where the teaching ends. */
  readonly end: number
  /** How many characters of the teaching's own words were recognised. */
  readonly weight: number
}

/** Dialects may share words, so the one whose words cover most of the prompt is the one that was taught. */
function findTeaching(text: string): Found | undefined {
  let best: Found | undefined
  for (const dialect of dialects) {
    const found = matchTeaching(text, dialect)
    if (found !== undefined && found.weight > (best?.weight ?? 0)) best = found
  }
  return best
}

function matchTeaching(text: string, dialect: Dialect): Found | undefined {
  const { intro, tools, rules } = dialect.teaching
  const opening = intro + tools.open
  const at = text.indexOf(opening)
  if (at === -1) return undefined
  const from = at + opening.length
  const [first = '', ...others] = rules.split('{example}')
  const closing = tools.close + first
  const to = closing === '' ? text.length : text.indexOf(closing, from)
  if (to === -1) return undefined
  let end = closing === '' ? from : to + closing.length
  let weight = opening.length + closing.length
  for (const words of others) {
    const next = text.indexOf(words, end)
    if (next === -1) return undefined
    end = next + words.length
    weight += words.length
  }
  return { dialect, list: text.slice(from, to), end, weight }
}

const readers: Readonly<Record<ToolListing['style'], (list: string, separator: string) => readonly Tool[]>> = {
  'openai-json': readJsonTools,
  'function-json': readJsonTools,
  'xml-tool': readXmlTools,
  markdown: readMarkdown,
}

function readJsonTools(list: string, separator: string): readonly Tool[] {
  return list.split(separator).flatMap((line) => {
    const value = parse(line)
    const inner = isJsonObject(value) && isJsonObject(value['function']) ? value['function'] : value
    return isJsonObject(inner) ? toTool(inner['name'], inner['description'], inner['parameters']) : []
  })
}

const xmlTool =
  /<tool name="([^"]+)">\n(?:<description>([\s\S]*?)<\/description>\n)?<parameters>(.*)<\/parameters>\n<\/tool>/g

function readXmlTools(list: string): readonly Tool[] {
  return [...list.matchAll(xmlTool)].flatMap(([, name, description, parameters = '']) =>
    toTool(name, description, parse(parameters)),
  )
}

function toTool(name: Json | undefined, description: Json | undefined, parameters: Json | undefined): readonly Tool[] {
  if (typeof name !== 'string') return []
  const schema: JsonSchema | undefined = isJsonObject(parameters) ? parameters : undefined
  return [
    {
      kind: 'function',
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(schema === undefined ? {} : { parameters: schema }),
    },
  ]
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The results after the last thing the assistant said; undefined when the conversation does not end with results. */
function readResults(said: string, { teaching }: Dialect): readonly string[] | undefined {
  const [before = '', after = ''] = teaching.result.split('{content}')
  const opener = new RegExp(
    before
      .split(/\{(?:name|id)\}/)
      .map(escapePattern)
      .join('[^\\n<>"]{1,256}'),
    'g',
  )
  const results: string[] = []
  for (const match of said.matchAll(opener)) {
    const from = match.index + match[0].length
    const to = after.trim() === '' ? -1 : said.indexOf(after, from)
    const next = said.slice(from).search(new RegExp(opener.source))
    const limit = to !== -1 ? to : next === -1 ? said.length : from + next - teaching.resultSeparator.length
    results.push(said.slice(from, limit))
  }
  return results.length === 0 ? undefined : results
}

function escapePattern(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
