import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import { type Alternative, expand, resolvePointer } from './expand.ts'
import { type Claim, claimOf, kindsOfValue, kindsOfValues, own } from './kinds.ts'
import { Kind, type Node } from './node.ts'
import { declaredProperty, itemSchema, objectAt, otherPropertiesOf, patternsOf, requiredOf, tupleOf } from './rules.ts'

/** Schemas that hold together: what one alternative says about a property or an item. */
type Group = readonly JsonSchema[]

/** One alternative of a node, as a node of its own, with the plain schema objects whose keywords hold in it. */
export interface Branch {
  readonly node: Node
  readonly rules: readonly JsonObject[]
}

/** Anything goes, because nothing was declared. */
export const ANY: Node = {
  types: Kind.any,
  declared: false,
  values: undefined,
  properties: [],
  required: [],
  property: () => ANY,
  hasProperty: () => false,
  closed: false,
  item: () => ANY,
}

const anyObject: JsonObject = { type: 'object' }
const anyText: JsonObject = { type: 'string' }

const documents = new WeakMap<JsonObject, Document>()
const parameters = new WeakMap<JsonObject, Node>()
const branches = new WeakMap<Node, () => readonly Branch[]>()

export function compileSchema(schema: JsonSchema | undefined): Node {
  if (schema === false) return nothing
  if (!isJsonObject(schema)) return ANY
  return documentOf(schema).node([[schema]])
}

/** The node of a tool's arguments as a whole: always an object, without properties when the tool declares nothing. */
export function compileParameters(schema: JsonSchema | undefined): Node {
  if (!isJsonObject(schema)) return compileSchema(anyObject)
  const known = parameters.get(schema)
  if (known !== undefined) return known
  const node = documentOf(schema).node([[anyObject, schema]])
  const made = node.types === Kind.object ? node : compileSchema(anyObject)
  parameters.set(schema, made)
  return made
}

/** A string, and nothing else. */
export function textNode(): Node {
  return compileSchema(anyText)
}

/** The alternatives of a node's schema; empty where anything goes. */
export function branchesOf(node: Node): readonly Branch[] {
  return branches.get(node)?.() ?? []
}

/** One client's schema: where its references resolve, and the nodes made of it so far. */
interface Document {
  node(groups: readonly Group[]): Node
}

function documentOf(root: JsonObject): Document {
  const known = documents.get(root)
  if (known !== undefined) return known
  const document = createDocument(root)
  documents.set(root, document)
  return document
}

function createDocument(root: JsonObject): Document {
  const targets = new Map<string, JsonSchema | undefined>()
  const numbers = new Map<JsonObject, number>()
  const nodes = new Map<string, Node>()

  function resolve(reference: string): JsonSchema | undefined {
    if (!targets.has(reference)) targets.set(reference, resolvePointer(root, reference))
    return targets.get(reference)
  }

  function keyOf(group: Group): string {
    return group
      .map((schema) => {
        if (!isJsonObject(schema)) return String(schema)
        const number = numbers.get(schema) ?? numbers.size
        numbers.set(schema, number)
        return number
      })
      .join('+')
  }

  // Recursive schemas come by the same groups again and again, so nodes are kept by what they were made of.
  function node(groups: readonly Group[]): Node {
    const distinct = new Map(groups.map((group) => [keyOf(group), group]))
    const key = [...distinct.keys()].join('|')
    const known = nodes.get(key)
    if (known !== undefined) return known
    const made = make([...distinct.values()])
    nodes.set(key, made)
    return made
  }

  function make(groups: readonly Group[]): Node {
    const alternatives = new Map<string, Alternative>()
    for (const group of groups) {
      const expanded = expand(group, resolve)
      if (expanded === undefined) return ANY
      for (const alternative of expanded) alternatives.set(keyOf(alternative), alternative)
      if (alternatives.size > 2_000) return ANY
    }
    return createNode([...alternatives.values()], node)
  }

  return { node }
}

type Lazy = 'values' | 'properties' | 'required' | 'closed'
type Parts = Omit<Node, Lazy> & { readonly [Key in Lazy]: () => Node[Key] }

/** A class, because getters of an object literal would make every node a kind of its own. */
class LazyNode implements Node {
  readonly types: number
  readonly declared: boolean
  readonly property: Node['property']
  readonly hasProperty: Node['hasProperty']
  readonly item: Node['item']
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.types = parts.types
    this.declared = parts.declared
    this.property = parts.property
    this.hasProperty = parts.hasProperty
    this.item = parts.item
    this.#parts = parts
  }

  get values(): Node['values'] {
    return this.#parts.values()
  }

  get properties(): Node['properties'] {
    return this.#parts.properties()
  }

  get required(): Node['required'] {
    return this.#parts.required()
  }

  get closed(): boolean {
    return this.#parts.closed()
  }
}

function createNode(all: readonly Alternative[], nodeOf: (groups: readonly Group[]) => Node): Node {
  const claimed = all.map((rules) => ({ rules, claim: claimOfAlternative(rules) }))
  const possible = claimed.filter(({ claim }) => claim === undefined || claim.kinds !== 0)
  const declared = all.length === 0 || claimed.some(({ claim }) => claim !== undefined)
  let types = 0
  for (const { claim } of possible) types |= claim?.kinds ?? Kind.any
  const allowing = (kind: number): readonly Alternative[] =>
    possible.flatMap(({ rules, claim }) => (claim === undefined || (claim.kinds & kind) !== 0 ? [rules] : []))
  const objects = lazy(() => allowing(Kind.object))
  const arrays = lazy(() => allowing(Kind.array))

  const names = lazy(() => {
    const listed = new Set<string>()
    for (const rule of new Set(objects().flat())) {
      for (const name of Object.keys(objectAt(rule, 'properties'))) listed.add(name)
    }
    return listed
  })
  const hasPatterns = lazy(() => objects().some((rules) => rules.some((rule) => patternsOf(rule).length > 0)))
  const mayDeclare = (name: string): boolean => names().has(name) || hasPatterns()
  const properties = lazy(() => [...names()])
  const required = lazy(() => requiredByAll(objects()))
  const closed = lazy(
    () =>
      objects().length > 0 &&
      !objects().some((rules) => rules.some((rule) => own(rule, 'patternProperties') !== undefined)) &&
      objects().every((rules) => rules.some((rule) => own(rule, 'additionalProperties') === false)),
  )
  const values = lazy(() => unionOfValues(possible.map(({ claim }) => claim)))

  const toNode = (groups: readonly Group[]): Node => (groups.length === 0 ? ANY : nodeOf(groups))
  const declaredNodes = new Map<string, Node>()
  // A name nobody declared is undeclared, even where others are forbidden: what to do about it is not for types to say.
  const otherProperty = lazy(() => toNode(objects().flatMap((rules) => groupOf(rules, otherPropertiesOf))))
  function property(name: string): Node {
    if (!mayDeclare(name)) return otherProperty()
    const known = declaredNodes.get(name)
    if (known !== undefined) return known
    const groups = objects().flatMap((rules) => groupOf(rules, (rule) => declaredProperty(rule, name)))
    if (groups.length === 0) return otherProperty()
    const node = toNode(groups)
    // Names that only a pattern matches are the model's to choose, so they are not kept.
    if (names().has(name)) declaredNodes.set(name, node)
    return node
  }

  const items = new Map<number, Node>()
  const tupleLength = lazy(() =>
    arrays()
      .flat()
      .reduce((longest, rule) => Math.max(longest, tupleOf(rule).length), 0),
  )
  function item(index: number): Node {
    const place = Math.min(index, tupleLength())
    const known = items.get(place)
    if (known !== undefined) return known
    const node = toNode(arrays().flatMap((rules) => groupOf(rules, (rule) => itemSchema(rule, place))))
    items.set(place, node)
    return node
  }

  const node: Node = new LazyNode({
    types,
    declared,
    values,
    properties,
    required,
    property,
    hasProperty: (name) =>
      mayDeclare(name) && objects().some((rules) => rules.some((rule) => declaredProperty(rule, name) !== undefined)),
    closed,
    item,
  })
  branches.set(
    node,
    lazy(() =>
      possible.length === 1
        ? possible.map(({ rules }) => ({ node, rules }))
        : possible.map(({ rules }) => ({ node: createNode([rules], nodeOf), rules })),
    ),
  )
  return node
}

const nothing: Node = createNode([], () => ANY)

/** What the rules of one alternative say together. `properties` and `items` imply a type only where none is named. */
function claimOfAlternative(rules: Alternative): Claim | undefined {
  let claim: Claim | undefined
  for (const rule of rules) {
    const next = claimOf(rule)
    if (next !== undefined) claim = claim === undefined ? next : intersect(claim, next)
  }
  if (claim !== undefined) return claim
  let kinds = 0
  for (const rule of rules) {
    for (const key of ['properties', 'patternProperties', 'additionalProperties']) {
      if (isJsonObject(own(rule, key))) kinds |= Kind.object
    }
    if (own(rule, 'items') !== undefined || own(rule, 'prefixItems') !== undefined) kinds |= Kind.array
  }
  return kinds === 0 ? undefined : { kinds, values: undefined }
}

function intersect(left: Claim, right: Claim): Claim {
  const kinds = left.kinds & right.kinds
  const common =
    left.values === undefined ? right.values : left.values.filter((value) => right.values?.includes(value) ?? true)
  const values = common?.filter((value) => (kindsOfValue(value) & kinds) !== 0)
  return { kinds: values === undefined ? kinds : kinds & kindsOfValues(values), values }
}

/** Closed only if every alternative is; null alone counts as a list of one, for the common "one of these or null". */
function unionOfValues(claims: readonly (Claim | undefined)[]): readonly Json[] | undefined {
  if (!claims.some((claim) => claim?.values !== undefined)) return undefined
  const union = new Set<Json>()
  for (const claim of claims) {
    const values = claim?.values ?? (claim?.kinds === Kind.null ? [null] : undefined)
    if (values === undefined) return undefined
    for (const value of values) union.add(value)
  }
  return [...union]
}

function requiredByAll(alternatives: readonly Alternative[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const rules of alternatives) {
    for (const name of new Set(rules.flatMap(requiredOf))) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].flatMap(([name, count]) => (count === alternatives.length ? [name] : []))
}

function groupOf(rules: Alternative, schemaOf: (rule: JsonObject) => JsonSchema | undefined): readonly Group[] {
  const group = rules.map(schemaOf).filter((schema) => schema !== undefined)
  return group.length === 0 ? [] : [group]
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
