import type { JsonObject, JsonSchema } from '../../../protocol/json.ts'
import { compileParameters } from '../../../schema/compile.ts'
import { own } from '../../../schema/kinds.ts'
import { Kind, type Node } from '../../../schema/node.ts'
import { findProperty, follow, followItems, itemOf, limitsOf, printJson } from './listings/words.ts'

/** Deeper levels are left to the model's sense; a recursive schema would never end. */
const maxDepth = 5
/**
 * A schema that refers to itself in many places would fill a book within five levels. Beyond this, parameters are listed
 * by their names.
 */
const maxLines = 400

/** A tool's parameters as a list in words, one line each, nested ones indented below their parent. */
export function describeParameters(parameters: JsonSchema | undefined): readonly string[] {
  const root = parameters ?? {}
  const lines: string[] = []
  describeProperties(compileParameters(parameters), root, { root, lines }, 0)
  return lines
}

interface Description {
  readonly root: JsonSchema
  readonly lines: string[]
}

function describeProperties(node: Node, schema: JsonSchema, description: Description, depth: number): void {
  const { root, lines } = description
  const indent = '  '.repeat(depth)
  const required = new Set(node.required)
  for (const name of node.properties) {
    const need = required.has(name) ? 'required' : 'optional'
    if (lines.length >= maxLines) {
      if (depth > 0) return
      lines.push(`- ${name}: (${need}) any`)
      continue
    }
    const child = node.property(name)
    const childSchema = follow(findProperty(schema, root, name), root)
    lines.push(`${indent}- ${name}: (${need}) ${typeWords(child)}${describeWords(child, childSchema, indent)}`)
    describeInner(child, childSchema, description, depth + 1)
  }
}

function describeInner(node: Node, schema: JsonObject, description: Description, depth: number): void {
  if (depth >= maxDepth) return
  if (node.properties.length > 0) return describeProperties(node, schema, description, depth)
  const item = itemOf(node)
  if (item === undefined || item.properties.length === 0) return
  describeProperties(item, followItems(schema, description.root), description, depth)
}

function describeWords(node: Node, schema: JsonObject, indent: string): string {
  const description = own(schema, 'description')
  const facts = factsOf(node, schema)
  // Lines of a description stand deeper than any nested parameter could, so that they are not taken for one.
  const words = typeof description === 'string' ? description.trim().replaceAll('\n', `\n${indent}    `) : ''
  return (words === '' ? '' : ` - ${words}`) + (facts.length === 0 ? '' : ` (${facts.join('; ')})`)
}

function factsOf(node: Node, schema: JsonObject): readonly string[] {
  const values = node.values ?? itemOf(node)?.values
  const listed = values === undefined ? [] : [`one of: ${values.map(printJson).join(', ')}`]
  return [...listed, ...limitsOf(schema)]
}

const typeNames = [
  [Kind.string, 'string'],
  [Kind.boolean, 'boolean'],
  [Kind.array, 'array'],
  [Kind.object, 'object'],
  [Kind.null, 'null'],
] as const

function typeWords(node: Node): string {
  if (!node.declared || node.types === Kind.any) return 'any'
  const names: string[] = []
  if ((node.types & Kind.number) !== 0) names.push('number')
  else if ((node.types & Kind.integer) !== 0) names.push('integer')
  for (const [kind, name] of typeNames)
    if ((node.types & kind) !== 0) names.push(name === 'array' ? arrayWords(node) : name)
  return names.join(' or ')
}

function arrayWords(node: Node): string {
  const item = node.item(0)
  const bits = item.types
  const single = item.declared && (bits === (Kind.number | Kind.integer) || (bits & (bits - 1)) === 0)
  return single && bits !== Kind.array ? `array of ${typeWords(item)}` : 'array'
}
