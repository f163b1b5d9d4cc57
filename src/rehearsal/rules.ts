import type { Json } from '../protocol/json.ts'
import type { Tool } from '../protocol/tool.ts'
import { compileParameters } from '../schema/compile.ts'
import { type Node, Kind as Type } from '../schema/node.ts'
import { wordsOf } from './words.ts'

/** All that a shell is ever told. */
export const commands = ['pwd', 'ls', 'cat README.md'] as const
/** All that is ever read. */
export const files = ['README.md', 'package.json'] as const
/** All that is ever written. */
export const note = { file: 'dragoman-rehearsal.txt', line: 'Written by the rehearsal model of Dragoman.' } as const

/** What the words in a parameter's name say it holds. */
export const holds = {
  command: /\b(?:commands?|cmds?|script|code|argv)\b/,
  url: /\b(?:ur[il]s?|href|link|website)\b/,
  folder: /\b(?:directory|dir|dirpath|folder|cwd|workdir)\b/,
  path: /\b(?:paths?|files?|filepath|filename|notebook)\b/,
  pattern: /\b(?:pattern|regex|glob|query|queries)\b/,
  place: /\b(?:city|location|place|town|region|country)\b/,
  label: /\b(?:description|explanation|reason|justification|title|summary)\b/,
} as const

export const weather = /(?<!\p{L})(?:weather|forecast|temperature)(?!\p{L})/iu

export type Kind = 'shell' | 'write' | 'list' | 'read' | 'weather'

/**
 * The kinds of tools: the words of their names, or those of their parameters' names, and what one must be given to be of
 * use here. The first that fits: the dangerous ones are first.
 */
const kinds: readonly (readonly [Kind, name: RegExp, parameter: RegExp, needs: RegExp])[] = [
  [
    'shell',
    /\b(?:ba|z|fi|pw|power)?sh(?:ell)?\b|\b(?:terminal|console|commands?|cmd|exec|execute|eval|run|process|script|stdin|python|node|code|interpreter|repl)\b/,
    /\b(?:commands?|cmds?|script|code|argv|stdin|chars)\b/,
    holds.command,
  ],
  [
    'write',
    /\b(?:write|edit|editor|create|save|append|insert|replace|patch|update|modify|set|put|add|copy|remember|memory|notebook)\b/,
    /\b(?:contents?|text|body|diff|patch|edits|old|new)\b/,
    holds.path,
  ],
  ['list', /^(?:list|ls)(?: files?| directory| dir| folder)?$/, /(?!)/, /\b(?:path|directory|dir|dirpath|folder)\b/],
  ['read', /^(?:read|view|open|cat)(?: text| many)?(?: files?)?$/, /(?!)/, holds.path],
  ['weather', weather, /(?!)/, /^/],
]

export function kindOf({ name, parameters }: Tool): Kind | undefined {
  const all = namesIn(compileParameters(parameters), 'properties')
  return kinds.find(([, names, parameter]) => names.test(wordsOf(name)) || parameter.test(all))?.[0]
}

/** Whether a tool can do what the rules below want of its kind. */
export function canDo(kind: Kind, tool: Tool): boolean {
  const given = namesIn(compileParameters(tool.parameters), 'required')
  return (
    kindOf(tool) === kind && (tool.kind === 'custom' || kinds.some(([k, , , needs]) => k === kind && needs.test(given)))
  )
}

/** Words for what no argument makes harmless. */
const destructive =
  /\b(?:delete|remove|rm|rmdir|unlink|erase|trash|wipe|purge|clean|clear|drop|truncate|reset|move|mv|rename|kill|terminate|shutdown|reboot|halt|uninstall)\b/

/** Choices that change nothing, or nothing but the one file. */
const harmless = /^(?:view|read|list|get|show|status|auto|default|create|write|add)/i

/** Whether a tool is never called: to delete, move or end something is all that it does. */
export function isDestructive({ name, parameters }: Tool): boolean {
  return destructive.test(wordsOf(name)) || mustDestroy(compileParameters(parameters))
}

function mustDestroy(node: Node, depth = 0): boolean {
  if (depth > 3) return false
  if (node.values !== undefined) return node.values.length > 0 && leastHarmful(node.values) === undefined
  return node.required.slice(0, 64).some((name) => mustDestroy(node.property(name), depth + 1))
}

/** Of the values that a schema allows, one that takes nothing away. */
export function leastHarmful(values: readonly Json[]): Json | undefined {
  const words = values.map((value) => ({ value, word: typeof value === 'string' ? wordsOf(value) : '' }))
  const order = [
    ...words.filter(({ value }) => commands.some((command) => command === value)),
    ...words.filter(({ word }) => harmless.test(word)),
    ...words.filter(({ word }) => !destructive.test(word)),
  ]
  return order[0]?.value
}

/** The words of the names of all parameters that take any text, those inside others too. */
function namesIn(node: Node, which: 'properties' | 'required', depth = 0): string {
  if (depth > 3) return ''
  const inside = node.declared && node.types & Type.array ? namesIn(node.item(0), which, depth + 1) : ''
  const names = node[which].slice(0, 64).map((name) => {
    const property = node.property(name)
    return `${property.values === undefined ? wordsOf(name) : ''} ${namesIn(property, which, depth + 1)}`
  })
  return [inside, ...names].join(' ')
}

/** How a clause tells to do something; what does it, the first that is offered, a shell by a command; what a user should know. */
type Rule = readonly [asks: RegExp, by: readonly By[], says?: string]
type By = readonly [Kind, command?: (typeof commands)[number]]

export const rules: readonly Rule[] = [
  [
    /^(?:(?:run|execute) )?ls$|^(?:list|show)\b.*\b(?:files|folders?|director(?:y|ies))\b/i,
    [['list'], ['shell', 'ls']],
  ],
  [
    /^(?:read|show|open|display|view|print|cat|look at)\b.*(?:\b(?:file|readme|notes?)\b|\w\.\w)/i,
    [['read'], ['shell', 'cat README.md']],
  ],
  [
    /^(?:write|create|save|make|append|add|edit|change|update)\b(?:(?:(?!\b(?:of|about|on|what|up|between)\b).)*|.*\b(?:to|into) (?:\S+ ){0,2}\S*?)(?:\b(?:file|readme|notes?)\b|\w\.\w)/i,
    [['write']],
    `Whatever I am told to write, it is one line in ${note.file}.`,
  ],
  [
    /^(?:run|execute|start|launch)\b/i,
    [['shell', 'pwd']],
    `Whatever I am told to run, I only run ${commands.join(', ')}.`,
  ],
]
