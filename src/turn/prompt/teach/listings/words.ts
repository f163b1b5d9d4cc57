import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../../../protocol/json.ts'
import { resolvePointer } from '../../../../schema/expand.ts'
import { own } from '../../../../schema/kinds.ts'
import { Kind, type Node } from '../../../../schema/node.ts'

const maxDepth = 5
const maxReferences = 16
const longestExample = 100

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

/** What a schema says of a value beyond its type: its default, an example and its limits. */
export function limitsOf(schema: JsonObject): readonly string[] {
  const facts: string[] = []
  const fallback = own(schema, 'default')
  if (fallback !== undefined) facts.push(`default: ${printJson(fallback)}`)
  const [example] = listOf(own(schema, 'examples'))
  if (example !== undefined && JSON.stringify(example).length <= longestExample)
    facts.push(`example: ${printJson(example)}`)
  for (const [keyword, words] of constraints) {
    const limit = own(schema, keyword)
    if (typeof limit === 'string' || typeof limit === 'number') facts.push(`${words}: ${limit}`)
  }
  return facts
}

/** The node of an array's items, where the place is declared to hold arrays. */
export function itemOf(node: Node): Node | undefined {
  return (node.types & Kind.array) !== 0 && node.declared ? node.item(0) : undefined
}

/** Where the words about a property are: in `properties` here, or in what this schema is combined of. */
export function findProperty(schema: JsonSchema, root: JsonSchema, name: string, depth = 0): JsonSchema {
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
export function follow(schema: JsonSchema, root: JsonSchema): JsonObject {
  let place = isJsonObject(schema) ? schema : {}
  for (let step = 0; step < maxReferences; step++) {
    const reference = own(place, '$ref')
    const target = typeof reference === 'string' ? resolvePointer(root, reference) : undefined
    if (!isJsonObject(target)) return place
    const { $ref: _, ...beside } = place
    place = { ...target, ...beside }
  }
  return place
}

/** The schema of an array's items. */
export function followItems(schema: JsonObject, root: JsonSchema): JsonObject {
  const items = own(schema, 'items')
  return follow(isJsonObject(items) ? items : {}, root)
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

/** JSON on one line with a space after each comma and colon, as Python writes it: what chat templates taught models to read. */
export function printJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(printJson).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${printJson(member)}`)
  return `{${members.join(', ')}}`
}
