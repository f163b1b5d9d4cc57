import type { Dialect } from '../../../dialects/dialect.ts'
import type { Json, JsonObject, JsonSchema } from '../../../protocol/json.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import { compileParameters } from '../../../schema/compile.ts'
import { own } from '../../../schema/kinds.ts'
import { Kind, type Node } from '../../../schema/node.ts'
import { setOf, union, wordCharacters } from '../grammar/characters.ts'
import { choice, literal, optional, type Rule, sequence } from '../grammar/tree.ts'
import { shapeOf } from '../values/keywords.ts'
import { jsonNotation, pseudoNotation, pythonNotation } from '../values/notation.ts'
import { otherThan } from '../values/text.ts'
import { type Means, Values } from '../values/values.ts'
import { taggedArguments } from './tagged.ts'

/** A tool without parameters takes none. */
const noParameters: JsonObject = { type: 'object', properties: {}, additionalProperties: false }

/** The arguments of one tool as the dialect writes them. */
export function argumentsRule(means: Means, dialect: Dialect, tool: string, parameters: JsonSchema | undefined): Rule {
  const declared = isJsonObject(parameters) ? parameters : noParameters
  if (hasKey(declared, 'oneOf')) means.widen('oneOf')
  const node = compileParameters(declared)
  const branches = node.branches
  const all = branches.length === 0 ? [{ node, rules: [] }] : branches
  return choice(...all.map((branch) => ofBranch(means, dialect, tool, branch.node, branch.rules)))
}

function ofBranch(means: Means, dialect: Dialect, tool: string, node: Node, rules: readonly JsonObject[]): Rule {
  const spec = dialect.grammar.arguments
  switch (spec.as) {
    case 'json':
      return spec.cdata === true
        ? sequence(
            literal('<![CDATA['),
            objectIn(new Values(means, jsonNotation(means.book, { marks: [']]>'] })), node),
            literal(']]>'),
          )
        : objectIn(new Values(means, jsonNotation(means.book)), node)
    case 'envelope':
      return objectIn(new Values(means, jsonNotation(means.book)), node)
    case 'tagged':
      return taggedArguments(means, dialect, spec, tool, node, rules)
    case 'keywords':
      return keywords(means, node, rules)
    case 'pseudo':
      return objectIn(new Values(means, pseudoNotation(means.book, spec.quote)), node)
    case 'yaml':
      return yaml(means, node, rules)
    default:
      return spec satisfies never
  }
}

/** The arguments as one object; in a coarse grammar any object. */
function objectIn(values: Values, node: Node): Rule {
  return values.ofKinds(node, Kind.object)
}

const isName = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)

/** Python's keyword arguments; where a key is no name, one dict. */
function keywords(means: Means, node: Node, rules: readonly JsonObject[]): Rule {
  const values = new Values(means, pythonNotation(means.book))
  const { members, others } = shapeOf(node, rules)
  const named = values.members(node, rules, sequence(literal(','), optional(literal(' '))), {
    key: 'keywords',
    member: (name, member) => sequence(literal(`${name}=`), values.value(member)),
    other(names, member) {
      const start = otherThan(means.book, names, wordCharacters)
      return sequence(start, literal('='), values.value(member))
    },
  })
  const odd = members.filter(({ name }) => !isName(name))
  if (odd.length === 0 && others === undefined) return named
  const dict = values.ofKinds(node, Kind.object)
  return odd.length === 0 ? choice(named, dict) : dict
}

/** One line a key, its value as JSON in which no tag begins. */
function yaml(means: Means, node: Node, rules: readonly JsonObject[]): Rule {
  const notation = jsonNotation(means.book, { marks: ['<'], isOneLine: true })
  const values = new Values(means, notation)
  const line = (key: Rule, value: Rule): Rule => sequence(key, literal(': '), value, literal('\n'))
  const lines = values.members(node, rules, literal(''), {
    key: 'yaml',
    member: (name, member) => line(notation.property(name), values.value(member)),
    other: (names, member) => {
      const key = sequence(literal('"'), otherThan(means.book, names, union(wordCharacters, setOf('-'))), literal('"'))
      return line(key, values.value(member))
    },
  })
  return sequence(literal('\n'), lines)
}

function hasKey(schema: Json, key: string, depth = 0): boolean {
  if (depth > 20 || typeof schema !== 'object' || schema === null) return false
  if (isJsonObject(schema) && Array.isArray(own(schema, key))) return true
  return Object.values(schema).some((value: Json) => hasKey(value, key, depth + 1))
}
