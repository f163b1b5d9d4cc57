import type { Json, JsonObject } from '../protocol/json.ts'
import type { Tool } from '../protocol/tool.ts'
import { compileParameters } from '../schema/compile.ts'
import { own } from '../schema/kinds.ts'
import { type Node, Kind as Type } from '../schema/node.ts'
import { type commands, files, holds, kindOf, leastHarmful, note } from './rules.ts'
import { wordsOf } from './words.ts'

/** What is known of a call beside its tool. */
export interface Planned {
  readonly command?: (typeof commands)[number] | undefined
  readonly file?: (typeof files)[number] | undefined
  readonly place?: string | undefined
  /** Where the client works. */
  readonly folder?: string | undefined
}

/**
 * The arguments of a call: what the schema requires, in constants. Of the conversation there is only the name of a place,
 * for a tool that tells the weather, and the client's own folder, where a file's name has to be absolute.
 */
export function fillArguments(
  tool: Tool,
  { command = 'pwd', file = files[0], place = 'Paris', folder }: Planned,
): string {
  const kind = kindOf(tool)
  return tool.kind === 'custom' ? freeText() : JSON.stringify(object(compileParameters(tool.parameters), 0))

  function object(node: Node, depth: number): JsonObject {
    const names = depth > 3 ? [] : node.required.slice(0, 64)
    return Object.fromEntries(names.map((name) => [name, value(node.property(name), name, depth)]))
  }

  function value(node: Node, name: string, depth: number): Json {
    if (node.values !== undefined) return leastHarmful(node.values) ?? null
    const { node: branch = node, rules = [] } = node.branches.find((one) => one.node.types !== Type.null) ?? {}
    if (branch.types & Type.string) return text(wordsOf(name), rules)
    if (branch.types & (Type.integer | Type.number)) return number(rules)
    if (branch.types & Type.boolean) return false
    if (branch.types & Type.array) return list(depth > 3 ? undefined : value(branch.item(0), name, depth + 1), name)
    return branch.types & Type.object ? object(branch, depth + 1) : null
  }

  function list(item: Json | undefined, name: string): Json {
    if (item === command && !name.endsWith('s')) return command.split(' ')
    return item === undefined ? [] : [item]
  }

  function number(rules: readonly JsonObject[]): number {
    const least = rules.flatMap((rule) => [own(rule, 'minimum'), Number(own(rule, 'exclusiveMinimum')) + 1])
    return Math.max(1, ...least.filter((bound) => typeof bound === 'number' && !Number.isNaN(bound)).map(Number))
  }

  function text(name: string, rules: readonly JsonObject[]): string {
    if (holds.command.test(name)) return command
    if (holds.url.test(name)) return 'https://example.com/'
    if (holds.folder.test(name) || (kind === 'list' && holds.path.test(name)))
      return kind === undefined ? 'rehearsal' : (folder ?? '.')
    if (holds.path.test(name)) return inFolder(name, rules)
    if (holds.pattern.test(name)) return 'README'
    if (holds.label.test(name)) return 'A rehearsal'
    if (kind === 'shell') return /\b(?:chars|stdin)\b/.test(name) ? '' : command
    if (kind === 'write') return /\bold\b/.test(name) ? '' : note.line
    return kind === 'weather' && holds.place.test(name) ? place : 'rehearsal'
  }

  function inFolder(name: string, rules: readonly JsonObject[]): string {
    const told = [tool.description, name, ...rules.map((rule) => own(rule, 'description'))]
    const before =
      folder === undefined || !/absolute/i.test(told.join(' ')) ? '' : `${folder}${folder.includes('\\') ? '\\' : '/'}`
    return before + (kind === 'read' ? file : note.file)
  }

  function freeText(): string {
    if (kind === 'write') return `*** Begin Patch\n*** Add File: ${note.file}\n+${note.line}\n*** End Patch\n`
    if (kind !== 'shell') return 'rehearsal'
    // Codex wants a script that calls its tools.
    const isScript = tool.description?.includes('tools.exec_command') ?? false
    return isScript ? `text((await tools.exec_command({ cmd: ${JSON.stringify(command)} })).output)` : command
  }
}
