import type { JsonObject } from '../protocol/json.ts'
import type { Purse } from './purse.ts'
import { tellingWords, wordsOf } from './words.ts'

/** What a text argument is about. */
type Hint = 'url' | 'path' | 'folder' | 'command' | 'content' | 'query' | 'name' | 'anything'

const hints: readonly (readonly [Hint, string])[] = [
  ['url', 'url uri link href website webpage'],
  ['folder', 'directory dir folder cwd'],
  ['path', 'path file filename filepath'],
  ['command', 'command cmd script shell code expression'],
  ['query', 'query pattern search regex keyword question term topic'],
  ['content', 'content text body message note diff patch'],
  ['name', 'location city place country town region name person title subject'],
]

const hintWords = hints.map(([hint, words]) => [hint, new Set(wordsOf(words))] as const)

/** By the argument's own name, else by the words that describe it. */
export function hintOf(name: string, schema: JsonObject): Hint {
  const described = typeof schema['description'] === 'string' ? schema['description'] : ''
  for (const words of [wordsOf(name), wordsOf(described)]) {
    const found = hintWords.find(([, known]) => words.some((word) => known.has(word)))
    if (found) return found[0]
  }
  return schema['format'] === 'uri' ? 'url' : 'anything'
}

/** A text for a required argument: what the clause offers of its kind, else what its words come down to. */
export function findText(hint: Hint, purse: Purse, schema: JsonObject): string {
  const fallback = typeof schema['default'] === 'string' ? schema['default'] : undefined
  switch (hint) {
    case 'url':
      return purse.urls.shift() ?? fallback ?? purse.quoted.shift() ?? 'https://example.com/'
    case 'path':
      return purse.paths.shift() ?? purse.quoted.shift() ?? fallback ?? lastWord(purse.clause)
    case 'folder':
      return purse.paths.shift() ?? purse.quoted.shift() ?? fallback ?? '.'
    case 'command':
      return purse.quoted.shift() ?? fallback ?? after(purse.clause, /\b(?:run|execute|start|evaluate|calculate)\b/i)
    case 'content':
      return purse.quoted.shift() ?? fallback ?? contentIn(purse.clause)
    case 'query':
      return purse.quoted.shift() ?? fallback ?? after(purse.clause, /\b(?:for|about|matching|containing)\b/i)
    case 'name':
      return (
        purse.names.shift() ??
        purse.quoted.shift() ??
        fallback ??
        after(purse.clause, /\b(?:in|at|for|of|from|named)\b/i)
      )
    case 'anything':
      return purse.quoted.shift() ?? purse.names.shift() ?? fallback ?? trim(purse.clause)
  }
}

function after(clause: string, word: RegExp): string {
  const match = word.exec(clause)
  const rest = match ? trim(clause.slice(match.index + match[0].length)) : ''
  return rest || trim(clause)
}

function contentIn(clause: string): string {
  const said =
    /\b(?:saying|says|containing|with|write|save|put)\s+(?:the (?:text|contents?|words?)\s+)?(.+?)(?:\s+(?:to|into|in)\s+\S+)?$/i
  return trim(said.exec(clause)?.[1] ?? '') || trim(clause)
}

function lastWord(clause: string): string {
  const words = clause.match(/[\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu) ?? []
  return words.findLast((word) => tellingWords(word).length > 0) ?? trim(clause)
}

function trim(text: string): string {
  return text.replace(/^[\s:,]+|[\s.,;:!?]+$/g, '')
}
