import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { type Check, fail, object, quoted } from '../shared/fields.ts'

/** No schema of a tool anyone uses comes near these; each costs more time in every service behind us. */
const maxDepth = 64
const maxNodes = 8_192
const maxReferences = 1_000

/** What OpenAI allows a strict schema. The words have a comma in the figure: agents retry on "500". */
const strictProperties = { most: 5_000, words: '5,000' }
const strictLevels = 10
const strictRemedy = "Offer simpler parameters, or leave 'strict' out."

/**
 * The schema of a tool's arguments. Its root must be able to be an object; a root without a type is let through, because
 * servers of the Model Context Protocol send `{}` and bare `$ref`s and mean an object. A strict tool must be strict all over.
 */
export function readParameters(name: string, strict: boolean): Check<JsonObject> {
  return (value, path) => {
    const broken = (rule: string): never =>
      fail('invalid_function_parameters', `Invalid schema for function ${quoted(name)}: ${rule}`, path)
    const schema = object(value, path)
    const { type } = schema
    const types: readonly unknown[] = Array.isArray(type) ? type : [type]
    if (type !== undefined && !types.includes('object')) {
      broken(`schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(type)?.slice(0, 40)}'.`)
    }
    checkSchema(schema, { root: schema, strict, broken, nodes: 0, references: 0, properties: 0 }, [], 0)
    return schema
  }
}

interface Walk {
  readonly root: JsonObject
  readonly strict: boolean
  readonly broken: (rule: string) => never
  nodes: number
  references: number
  properties: number
}

type Path = readonly string[]

/**
 * One place of a schema and all below it, `outer` objects around it. `$ref`s are counted, never followed, so the walk
 * ends; a definition is a schema of its own, and how deep it is used is not asked.
 */
function checkSchema(schema: JsonObject, walk: Walk, at: Path, outer: number): void {
  walk.nodes += 1
  if (walk.nodes > maxNodes) walk.broken(`it has more than ${maxNodes} nested schemas. Offer fewer or simpler ones.`)
  // Two steps a level: the keyword and the name below it.
  if (at.length > maxDepth * 2) walk.broken(`it is nested more than ${maxDepth} levels deep. Use a flatter schema.`)
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = rules.get(keyword)
    if (rule?.accepts(value, at) === false) walk.broken(`${contextOf(at)}, '${keyword}' must be ${rule.words}.`)
  }
  if (typeof schema['$ref'] === 'string') checkReference(schema['$ref'], walk, at)
  const levels = isObjectSchema(schema) ? outer + 1 : outer
  if (walk.strict) checkStrict(schema, walk, at, levels)
  for (const keyword of maps) {
    const inner = schema[keyword]
    if (!isJsonObject(inner)) continue
    const around = definitions.has(keyword) ? 0 : levels
    for (const name of Object.keys(inner)) checkInner(inner[name], walk, [...at, keyword, name], around)
  }
  for (const keyword of lists) {
    const inner = schema[keyword]
    if (!Array.isArray(inner)) continue
    for (const [index, item] of inner.entries()) checkInner(item, walk, [...at, keyword, `${index}`], levels)
  }
  for (const keyword of singles) {
    if (isJsonObject(schema[keyword])) checkInner(schema[keyword], walk, [...at, keyword], levels)
  }
}

function checkInner(schema: unknown, walk: Walk, at: Path, outer: number): void {
  if (typeof schema === 'boolean') return
  if (!isJsonObject(schema)) walk.broken(`${contextOf(at)}, a schema must be an object or a boolean.`)
  else checkSchema(schema, walk, at, outer)
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || properties !== undefined
}

const maps = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'] as const
const definitions: ReadonlySet<string> = new Set(['$defs', 'definitions'])
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'] as const
const singles = ['items', 'additionalProperties', 'additionalItems', 'contains', 'propertyNames', 'not'] as const

interface Rule {
  readonly words: string
  accepts(value: Json, at: Path): boolean
}

const isText = (value: Json): boolean => typeof value === 'string'
const isSchema = (value: Json): boolean => typeof value === 'boolean' || isJsonObject(value)
const isMap = (value: Json): boolean => isJsonObject(value)
const listOf = (item: (value: Json) => boolean) => (value: Json) =>
  Array.isArray(value) && (value as readonly Json[]).every(item)

const map: Rule = { words: 'an object of schemas', accepts: isMap }
const list: Rule = { words: 'an array of schemas', accepts: listOf(isSchema) }
const words: Rule = { words: 'a string', accepts: (value) => value === null || typeof value === 'string' }
const single: Rule = { words: 'a schema or a boolean', accepts: isSchema }
// Draft 4 says `exclusiveMinimum: true`, and some generators write a bound they have not got as null.
const bound: Rule = {
  words: 'a number',
  accepts: (value) => value === null || typeof value === 'number' || typeof value === 'boolean',
}

/** What keywords must look like wherever they stand. Other keywords are not looked at. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>(
  Object.entries({
    type: { words: 'a type or a list of types', accepts: (value) => isText(value) || listOf(isText)(value) },
    properties: map,
    patternProperties: map,
    $defs: map,
    definitions: map,
    required: {
      words: 'an array of property names',
      // Inside, the oldest drafts marked a property as required with a boolean.
      accepts: (value, at) => listOf(isText)(value) || (at.length > 0 && typeof value === 'boolean'),
    },
    items: { words: 'a schema or an array of schemas', accepts: (value) => isSchema(value) || listOf(isSchema)(value) },
    prefixItems: list,
    anyOf: list,
    oneOf: list,
    allOf: list,
    not: single,
    additionalProperties: { words: 'a boolean or a schema', accepts: (value) => value === null || isSchema(value) },
    enum: { words: 'an array of values', accepts: (value) => Array.isArray(value) },
    description: words,
    title: words,
    format: words,
    pattern: words,
    $ref: { words: 'a string', accepts: isText },
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
    multipleOf: bound,
    minLength: bound,
    maxLength: bound,
    minItems: bound,
    maxItems: bound,
  }),
)

function checkReference(reference: string, walk: Walk, at: Path): void {
  walk.references += 1
  if (walk.references > maxReferences) walk.broken(`it has more than ${maxReferences} references. Use fewer.`)
  const known = !reference.startsWith('#') || reference === '#' || isThere(walk.root, reference)
  if (walk.strict && !known)
    walk.broken(`${contextOf(at)}, reference ${quoted(reference)} points to nothing in the schema.`)
}

function isThere(root: JsonObject, reference: string): boolean {
  let place: Json | undefined = root
  for (const step of reference.slice(2).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    place =
      typeof place === 'object' && place !== null && Object.hasOwn(place, name)
        ? (place as JsonObject)[name]
        : undefined
  }
  return place !== undefined
}

function checkStrict(schema: JsonObject, walk: Walk, at: Path, levels: number): void {
  const { root, broken } = walk
  const { properties } = schema
  if (!isObjectSchema(schema)) return
  const names = Object.keys(isJsonObject(properties) ? properties : {})
  walk.properties += names.length
  if (walk.properties > strictProperties.most) {
    broken(
      `a strict schema may have ${strictProperties.words} object properties in all, and it has more. ${strictRemedy}`,
    )
  }
  if (levels > strictLevels) {
    broken(`a strict schema may have ${strictLevels} levels of nested objects, and it has more. ${strictRemedy}`)
  }
  if (schema['additionalProperties'] !== false) {
    broken(`${contextOf(at)}, 'additionalProperties' is required to be supplied and to be false.`)
  }
  // A `$schema` is the mark of a library that made this out of code. LangChain's sends `strict` with properties that are
  // optional there, and its users cannot change that.
  if (typeof root['$schema'] === 'string') return
  const required = schema['required']
  const listed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : [])
  const absent = names.find((name) => !listed.has(name))
  if (absent === undefined) return
  const rule = "'required' is required to be supplied and to be an array including every key in properties."
  broken(`${contextOf(at)}, ${rule} Missing ${quoted(absent)}.`)
}

function contextOf(at: Path): string {
  return `In context=(${at.map((step) => quoted(step)).join(', ')})`
}
