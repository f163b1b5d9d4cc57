import type { Dialect, ToolListing } from '../../../src/dialects/dialect.ts'
import { dialects } from '../../../src/dialects/registry.ts'
import { type PrintedCall, printCalls } from '../../../src/engine/print.ts'
import { isJsonObject, type Json, type JsonSchema, parseJson } from '../../../src/protocol/json.ts'
import { escapePattern } from '../../../src/protocol/text/escape-pattern.ts'
import type { Tool, ToolChoice } from '../../../src/protocol/tool.ts'
import { usageHeading } from '../../../src/turn/prompt/teach/listing.ts'
import { remind, sayRules, standings } from '../../../src/turn/prompt/teach/teach.ts'
import { readDirectives } from './directives.ts'
import { readMarkdown } from './markdown.ts'
import { readPseudo } from './pseudo.ts'
import { readPython } from './python.ts'
import { readQwenXml } from './qwen-xml.ts'
import { readTypeScript } from './typescript.ts'

/** What a prompt in some dialect says to a model that can read it. */
interface Teaching {
  readonly dialect: string
  readonly tools: readonly Tool[]
  /** Calls, written the way the prompt asked for. */
  print(calls: readonly PrintedCall[]): string
  /** What the tools answered, when the last message holds their answers. */
  readonly results?: readonly string[]
  /** What the user wants, where the last message holds more than that; absent: nothing, or the message as it stands. */
  readonly question?: string
  /** Which tools the next answer must or may call, where the prompt says so. */
  readonly choice?: ToolChoice
  /** At most one call is wanted. */
  readonly onlyOne: boolean
}

/**
 * The inverse of teaching, for doubles of services that are sent nothing but text. `prompt` is where teaching can stand:
 * the system messages and the first user message. `whole` is the last message, which may be part of it.
 */
export function readTeaching(prompt: string, whole: string): Teaching | undefined {
  const found = findTeaching(prompt)
  if (found === undefined) return undefined
  const { dialect, list } = found
  const last = withoutReminder(whole, dialect)
  const { choice, onlyOne } = readDirectives(prompt.slice(found.end))
  const tools = readers[dialect.teaching.tools.style](list, dialect)
  // Where a template has no system role, the teaching stands before the user's words.
  const inLast = matchTeaching(last, dialect)
  const said = inLast === undefined ? last : readDirectives(last.slice(inLast.end)).rest
  const { results, rest } = readResults(said, dialect, tools)
  const question = rest.trim()
  const isPlain = inLast === undefined && results.length === 0 && last === whole
  return {
    dialect: dialect.name,
    tools,
    print: (calls) => printCalls(dialect, calls, tools),
    onlyOne,
    ...(choice !== undefined && { choice }),
    ...(results.length > 0 && { results }),
    ...(!isPlain && question !== '' && { question }),
  }
}

function withoutReminder(text: string, dialect: Dialect): string {
  const lines = standings.map((standing) => remind(dialect, standing))
  const reminder = lines.find((line) => text.endsWith(line))
  return reminder === undefined ? text : text.slice(0, -reminder.length).trimEnd()
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
  const { intro, tools } = dialect.teaching
  const opening = intro + tools.open
  const at = text.indexOf(opening)
  if (at === -1) return undefined
  const from = at + opening.length
  const closing = tools.close + sayRules(dialect)
  const to = closing === '' ? endOfList(text, from) : text.indexOf(closing, from)
  if (to === -1) return undefined
  const end = to + closing.length
  const weight = opening.length + closing.length
  return { dialect, list: text.slice(from, to), end, weight }
}

/** A list that nothing closes ends with the usage of its last tool. */
function endOfList(text: string, from: number): number {
  const usage = text.lastIndexOf(usageHeading)
  return blankLineAfter(text, usage < from ? from : usage + usageHeading.length)
}

function blankLineAfter(text: string, from: number): number {
  const at = text.indexOf('\n\n', from)
  return at === -1 ? text.length : at
}

const readers: Readonly<Record<ToolListing['style'], (list: string, dialect: Dialect) => readonly Tool[]>> = {
  'openai-json': readJsonTools,
  'function-json': readJsonTools,
  'indented-json': readJsonTools,
  'sorted-json': readJsonTools,
  'xml-tool': readXmlTools,
  'qwen-xml': readQwenXml,
  typescript: readTypeScript,
  python: readPython,
  pseudo: readPseudo,
  markdown: readMarkdown,
}

function readJsonTools(list: string, { teaching }: Dialect): readonly Tool[] {
  const { separator } = teaching.tools
  const whole = separator.trim() === ',' ? parseJson(`[${list}]`) : undefined
  const values = Array.isArray(whole) ? (whole as readonly Json[]) : list.split(separator).map(parseJson)
  return values.flatMap((value) => {
    const inner = isJsonObject(value) && isJsonObject(value['function']) ? value['function'] : value
    return isJsonObject(inner) ? toTool(inner['name'], inner['description'], inner['parameters']) : []
  })
}

const xmlTool =
  /<tool name="([^"]+)">\n(?:<description>([\s\S]*?)<\/description>\n)?<parameters>(.*)<\/parameters>\n<\/tool>/g

function readXmlTools(list: string): readonly Tool[] {
  return [...list.matchAll(xmlTool)].flatMap(([, name, description, parameters = '']) =>
    toTool(name, description, parseJson(parameters)),
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

interface Told {
  readonly results: readonly string[]
  /** What follows the last of them; everything when there are none. */
  readonly rest: string
}

function readResults(said: string, { teaching }: Dialect, tools: readonly Tool[]): Told {
  const slots = { name: tools.map(({ name }) => escapePattern(name)).join('|'), id: '[^\\s<>"]{1,256}' }
  const [before = '', after = ''] = teaching.result
    .split('{content}')
    .map((part) => escapePattern(part).replace(/\\\{(name|id)\\\}/g, (_, slot: 'name' | 'id') => `(?:${slots[slot]})`))
  const openers = [...said.matchAll(new RegExp(before, 'g'))]
  const closer = new RegExp(after)
  const results: string[] = []
  let rest = said
  for (const [place, opener] of openers.entries()) {
    const from = opener.index + opener[0].length
    const next = openers[place + 1]?.index
    const tail = said.slice(from)
    const close = after.trim() === '' ? null : closer.exec(tail)
    const end = next === undefined ? said.length : next - teaching.resultSeparator.length
    results.push(close === null ? said.slice(from, end) : tail.slice(0, close.index))
    rest = close === null ? '' : tail.slice(close.index + close[0].length)
  }
  return { results, rest }
}
