import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'
import { isSchema, resolvePointer } from './expand.ts'
import { mapSubschemas, mapValues } from './rules.ts'

/**
 * Forms a schema is put in for services that refuse it, each plainer than the one before. `valid`: without what is no JSON
 * Schema. `plain`: only what every maker of grammars knows. `types`: the names of the arguments and the types of their values.
 */
export type SchemaForm = 'valid' | 'plain' | 'types'

export function reduceSchema(schema: JsonObject, form: SchemaForm): JsonObject {
  return { ...reducers[form](schema), type: 'object' }
}

const reducers: Readonly<Record<SchemaForm, (schema: JsonObject) => JsonObject>> = {
  valid: (schema) => toValid(schema, schema),
  plain: (schema) => ({ properties: {}, ...toPlain(toValid(schema, schema)) }),
  types(schema) {
    const { properties = {}, required } = toPlain(toValid(schema, schema))
    return {
      properties: mapValues(isJsonObject(properties) ? properties : {}, toType),
      ...(required !== undefined && { required }),
    }
  },
}

const isListOf = (value: Json | undefined, fits: (item: Json) => boolean): boolean =>
  Array.isArray(value) && value.every(fits)
const isNumber = (value: Json | undefined): boolean => typeof value === 'number'

const typeWords: readonly Json[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** What the value of a keyword must be; keywords that are not here may be anything. */
const shapes: Readonly<Record<string, (value: Json, root: JsonObject) => boolean>> = {
  $ref: (value, root) => typeof value === 'string' && resolvePointer(root, value) !== undefined,
  type: (value) =>
    Array.isArray(value) ? isListOf(value, (word) => typeWords.includes(word)) : typeWords.includes(value),
  enum: (value) => Array.isArray(value) && value.length > 0,
  required: (value) => isListOf(value, (name) => typeof name === 'string'),
  pattern: isPattern,
  format: (value) => typeof value === 'string',
  properties: isJsonObject,
  patternProperties: isJsonObject,
  $defs: isJsonObject,
  definitions: isJsonObject,
  items: (value) => isSchema(value) || isListOf(value, isSchema),
  prefixItems: (value) => isListOf(value, isSchema),
  additionalProperties: isSchema,
  additionalItems: isSchema,
  not: isSchema,
  anyOf: isBranches,
  oneOf: isBranches,
  allOf: isBranches,
  minimum: isNumber,
  maximum: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
}

function isBranches(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isSchema)
}

function isPattern(value: Json): boolean {
  if (typeof value !== 'string') return false
  try {
    return new RegExp(value) instanceof RegExp
  } catch {
    return false
  }
}

function toValid(schema: JsonObject, root: JsonObject): JsonObject {
  const fits = ([keyword, value]: [string, Json]): boolean =>
    !Object.hasOwn(shapes, keyword) || shapes[keyword]?.(value, root) === true
  return mapSubschemas(Object.fromEntries(Object.entries(schema).filter(fits)), (value) =>
    isJsonObject(value) ? toValid(value, root) : isSchema(value) ? value : {},
  )
}

const deepest = 8
const mostBranches = 16
const mostValues = 200
/** What is looked at of a schema whose references multiply. */
const mostSteps = 2_000

/** A valid schema with its references replaced by what they mean. */
function toPlain(root: JsonObject): JsonObject {
  let steps = 0

  /** `above` are the references inside which this stands, with an empty text for each level between them. */
  function plain(schema: Json, above: readonly string[]): JsonObject {
    steps += 1
    if (!isJsonObject(schema) || above.length > deepest || steps > mostSteps) return {}
    const { $ref: ref, ...beside } = schema
    if (typeof ref === 'string') {
      const meant = above.includes(ref) ? undefined : resolvePointer(root, ref)
      return isJsonObject(meant) ? plain({ ...meant, ...beside }, [...above, ref]) : plain(beside, above)
    }
    const below = [...above, '']
    const { type, description, enum: values, const: only, items, allOf, additionalProperties } = schema
    const parts = (Array.isArray(allOf) ? allOf : []).map((part: Json) => plain(part, below))
    const properties = mapValues(membersOf([...parts, schema]), (value) => plain(value, below))
    const required = requiredOf([...parts, schema]).filter((name) => Object.hasOwn(properties, name))
    const hasMembers = Object.keys(properties).length > 0
    const branches = schema['anyOf'] ?? schema['oneOf']
    const isChoice = type === undefined && values === undefined && !hasMembers
    return {
      ...(type !== undefined && { type }),
      ...(typeof description === 'string' && { description }),
      ...(Array.isArray(values) && values.length <= mostValues && { enum: values }),
      ...(only !== undefined && { const: only }),
      ...(isChoice &&
        Array.isArray(branches) &&
        branches.length <= mostBranches && { anyOf: branches.map((branch: Json) => plain(branch, below)) }),
      ...(hasMembers && { properties }),
      ...(required.length > 0 && { required }),
      ...(isJsonObject(items) && { items: plain(items, below) }),
      ...(additionalProperties === false && hasMembers && { additionalProperties }),
    }
  }

  return plain(root, [])
}

function membersOf(schemas: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    schemas.flatMap(({ properties }) => (isJsonObject(properties) ? Object.entries(properties) : [])),
  )
}

function requiredOf(schemas: readonly JsonObject[]): readonly string[] {
  const names = schemas.flatMap(({ required }) => (Array.isArray(required) ? (required as readonly Json[]) : []))
  return [...new Set(names)].filter((name) => typeof name === 'string')
}

/** One word for the type where there is one: some templates and parsers take no list. */
function toType(schema: Json): JsonObject {
  const { type, description, enum: values } = isJsonObject(schema) ? schema : {}
  const word = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  const known =
    word ?? (Array.isArray(values) && isListOf(values, (value) => typeof value === 'string') ? 'string' : undefined)
  return {
    ...(known !== undefined && { type: known }),
    ...(typeof description === 'string' && { description }),
  }
}
