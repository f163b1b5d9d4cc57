import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import { compileParameters } from '../schema/compile.ts'
import { resolvePointer } from '../schema/expand.ts'
import { own } from '../schema/kinds.ts'
import { Kind, type Node } from '../schema/node.ts'
import { printJson } from './json-words.ts'

/** Deeper levels are left to the model's sense; a recursive schema would never end. */
const maxDepth = 5
const maxReferences = 16

/** A tool's parameters as a list in words, one line each, nested ones indented below their parent. */
export function describeParameters(parameters: JsonSchema | undefined): readonly string[] {
  const root = parameters ?? {}
  return describeProperties(compileParameters(parameters), root, root, 0)
}

function describeProperties(node: Node, schema: JsonSchema, root: JsonSchema, depth: number): readonly string[] {
  const indent = '  '.repeat(depth)
  return node.properties.flatMap((name) => {
    const child = node.property(name)
    const childSchema = follow(findProperty(schema, root, name), root)
    const need = node.required.includes(name) ? 'required' : 'optional'
    const words = `${indent}- ${name}: (${need}) ${typeWords(child)}${describeWords(child, childSchema, indent)}`
    return [words, ...describeInner(child, childSchema, root, depth + 1)]
  })
}

function describeInner(node: Node, schema: JsonObject, root: JsonSchema, depth: number): readonly string[] {
  if (depth >= maxDepth) return []
  if (node.properties.length > 0) return describeProperties(node, schema, root, depth)
  const item = (node.types & Kind.array) !== 0 && node.declared ? node.item(0) : undefined
  if (item === undefined || item.properties.length === 0) return []
  const items = own(schema, 'items')
  return describeProperties(item, follow(isJsonObject(items) ? items : {}, root), root, depth)
}

function describeWords(node: Node, schema: JsonObject, indent: string): string {
  const description = own(schema, 'description')
  const facts = factsOf(node, schema)
  // Lines of a description stand deeper than any nested parameter could, so that they are not taken for one.
  const words = typeof description === 'string' ? description.trim().replaceAll('\n', `\n${indent}    `) : ''
  return (words === '' ? '' : ` - ${words}`) + (facts.length === 0 ? '' : ` (${facts.join('; ')})`)
}

const constraints = [
  ['format', 'format'],
  ['pattern', 'pattern'],
  ['minimum', 'minimum'],
  ['maximum', 'maximum'],
  ['exclusiveMinimum', 'more than'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'multiple of'],
  ['minLength', 'minimum length'],
  ['maxLength', 'maximum length'],
  ['minItems', 'minimum items'],
  ['maxItems', 'maximum items'],
] as const

function factsOf(node: Node, schema: JsonObject): readonly string[] {
  const facts: string[] = []
  const values = node.values ?? ((node.types & Kind.array) !== 0 && node.declared ? node.item(0).values : undefined)
  if (values !== undefined) facts.push(`one of: ${values.map(printJson).join(', ')}`)
  const fallback = own(schema, 'default')
  if (fallback !== undefined) facts.push(`default: ${printJson(fallback)}`)
  for (const [keyword, words] of constraints) {
    const limit = own(schema, keyword)
    if (typeof limit === 'string' || typeof limit === 'number') facts.push(`${words}: ${limit}`)
  }
  return facts
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

/** Where the words about a property are: in `properties` here, or in what this schema is combined of. */
function findProperty(schema: JsonSchema, root: JsonSchema, name: string, depth = 0): JsonSchema {
  const place = follow(schema, root)
  const properties = own(place, 'properties')
  const found = isJsonObject(properties) ? own(properties, name) : undefined
  if (isJsonObject(found)) return found
  if (depth >= maxDepth) return {}
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    for (const part of listOf(own(place, keyword))) {
      const inner = isJsonObject(part) ? findProperty(part, root, name, depth + 1) : {}
      if (isJsonObject(inner) && Object.keys(inner).length > 0) return inner
    }
  }
  return {}
}

/** A schema with its `$ref` followed; words beside the reference win over words behind it. */
function follow(schema: JsonSchema, root: JsonSchema): JsonObject {
  let place = isJsonObject(schema) ? schema : {}
  for (let step = 0; step < maxReferences; step++) {
    const { $ref: reference, ...beside } = place
    const target = typeof reference === 'string' ? resolvePointer(root, reference) : undefined
    if (!isJsonObject(target)) return place
    place = { ...target, ...beside }
  }
  return place
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}
