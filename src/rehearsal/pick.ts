import { isJsonObject } from '../protocol/json.ts'
import type { Tool } from '../protocol/tool.ts'
import { HIDDEN, hasValues, hideValues, readValues, type Values } from './values.ts'
import { tellingWords, wordsOf } from './words.ts'

/** A tool, and the part of the message that asks for it. */
export interface Asked {
  readonly tool: Tool
  readonly clause: string
}

/** Below this, a likeness is chance and the answer is words. */
const THRESHOLD = 4.5
const MOST_CALLS = 8

/** Verbs people use for what tools call by another name. */
const synonyms: readonly (readonly string[])[] = [
  'read show open view display cat print content',
  'write create save put',
  'search find look grep query',
  'run execute start bash command shell terminal',
  'list ls directory folder',
  'fetch download browse visit url',
  'edit change replace modify update patch',
  'delete remove erase',
  'weather forecast temperature',
  'calculate compute evaluate',
].map((group) => wordsOf(group))

/** The tools a message asks for, in its order. With `must`, at least one, however unlikely. */
export function pickTools(message: string, tools: readonly Tool[], must = false): readonly Asked[] {
  const asked: Asked[] = []
  let lead = ''
  for (const clause of clausesOf(message)) {
    const tool = bestOf(clause, tools, THRESHOLD)
    const last = asked.at(-1)
    if (tool) {
      asked.push({ tool, clause: lead + clause })
      lead = ''
    } else if (last && isMereValue(clause)) {
      asked.push({ tool: last.tool, clause })
    } else if (last) {
      asked[asked.length - 1] = { tool: last.tool, clause: `${last.clause} ${clause}` }
    } else {
      lead += `${clause} `
    }
  }
  if (asked.length > 0) return asked.slice(0, MOST_CALLS)
  const tool = bestOf(message, tools, must ? 0 : THRESHOLD)
  return tool ? [{ tool, clause: message }] : []
}

/** Parts of a message that may each ask for something. Commas only separate addresses: "Paris, France" is one place. */
function clausesOf(message: string): readonly string[] {
  const masked = hideValues(message)
  const ends = new RegExp(`;|[.?!]\\s|,?\\s+(?:and then|and also|and|then|also)\\s+|,\\s(?=${HIDDEN})`, 'gi')
  const clauses: string[] = []
  let from = 0
  for (const end of masked.matchAll(ends)) {
    clauses.push(message.slice(from, end.index))
    from = end.index + end[0].length
  }
  return [...clauses, message.slice(from)].map((clause) => clause.trim()).filter((clause) => clause !== '')
}

/** "b.txt", "the file b.txt", "London". */
function isMereValue(clause: string): boolean {
  return hasValues(readValues(clause)) && tellingWords(hideValues(clause)).length <= 2
}

function bestOf(text: string, tools: readonly Tool[], threshold: number): Tool | undefined {
  const words = new Set(tellingWords(text))
  const values = readValues(text)
  const scores = tools.map((tool) => scoreOf(tool, text, words, values))
  const best = Math.max(...scores)
  return best >= threshold ? tools[scores.indexOf(best)] : undefined
}

function scoreOf(tool: Tool, text: string, words: ReadonlySet<string>, values: Values): number {
  if (/[^a-z]/.test(tool.name) && text.toLowerCase().includes(tool.name.toLowerCase())) return 100
  const telling = tellingWords(tool.name)
  const names = telling.length > 0 ? telling : wordsOf(tool.name)
  const named = names.map((word) => (words.has(word) ? 1 : isMeant(word, words) ? 0.9 : 0))
  const parameters = parametersOf(tool)
  return (
    (6 * named.reduce<number>((sum, hit) => sum + hit, 0)) / names.length +
    Math.min(3, countIn(tool.description ?? '', words)) +
    Math.min(2, countIn(parameters, words)) +
    (values.urls.length > 0 && /ur[il]|link/i.test(parameters) ? 2 : 0) +
    (values.paths.length > 0 && /path|file|dir/i.test(parameters) ? 2 : 0) +
    (values.names.length > 0 && /location|city|place|name/i.test(parameters) ? 1 : 0)
  )
}

function isMeant(word: string, words: ReadonlySet<string>): boolean {
  return synonyms.some((group) => group.includes(word) && group.some((other) => words.has(other)))
}

function countIn(text: string, words: ReadonlySet<string>): number {
  return [...new Set(tellingWords(text))].filter((word) => words.has(word)).length
}

function parametersOf(tool: Tool): string {
  const properties = isJsonObject(tool.parameters) ? tool.parameters['properties'] : undefined
  return isJsonObject(properties) ? Object.keys(properties).join(' ') : ''
}
