import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import { type Alternative, expand, resolvePointer } from './expand.ts'
import { type Claim, claimOf, kindsOfValue, kindsOfValues, own } from './kinds.ts'
import { type Branch, Kind, type Node } from './node.ts'
import { declaredProperty, itemSchema, objectAt, otherPropertiesOf, patternsOf, requiredOf, tupleOf } from './rules.ts'

/** Schemas that hold together: what one alternative says about a property or an item. */
type Group = readonly JsonSchema[]

/** Makes the node of what several alternatives say. */
type NodeMaker = (groups: readonly Group[]) => Node

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
  branches: [],
}

export function compileSchema(schema: JsonSchema | undefined): Node {
  if (schema === false) return nothing
  return isJsonObject(schema) ? createNodeMaker(schema)([[schema]]) : ANY
}

/** The node of a tool's arguments as a whole: always an object, without properties when the tool declares nothing. */
export function compileParameters(schema: JsonSchema | undefined): Node {
  if (!isJsonObject(schema)) return anyObject
  const node = createNodeMaker(schema)([[{ type: 'object' }, schema]])
  return node.types === Kind.object ? node : anyObject
}

/** For one client's schema, in which references resolve. Recursive schemas come by the same groups again and again, so nodes are kept. */
function createNodeMaker(root: JsonObject): NodeMaker {
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

  function nodeOf(groups: readonly Group[]): Node {
    const distinct = new Map(groups.map((group) => [keyOf(group), group]))
    const key = [...distinct.keys()].join('|')
    const node = nodes.get(key) ?? make([...distinct.values()])
    nodes.set(key, node)
    return node
  }

  function make(groups: readonly Group[]): Node {
    const alternatives = new Map<string, Alternative>()
    for (const group of groups) {
      const expanded = expand(group, resolve)
      if (expanded === undefined) return ANY
      for (const alternative of expanded) alternatives.set(keyOf(alternative), alternative)
      if (alternatives.size > 2_000) return ANY
    }
    return new SchemaNode([...alternatives.values()], nodeOf)
  }

  return nodeOf
}

class SchemaNode implements Node {
  readonly types: number
  readonly declared: boolean
  readonly #nodeOf: NodeMaker
  readonly #possible: readonly { readonly rules: Alternative; readonly claim: Claim | undefined }[]
  readonly #properties = new Map<string, Node>()
  readonly #items = new Map<number, Node>()

  constructor(alternatives: readonly Alternative[], nodeOf: NodeMaker) {
    const claimed = alternatives.map((rules) => ({ rules, claim: claimOfAlternative(rules) }))
    this.#possible = claimed.filter(({ claim }) => claim === undefined || claim.kinds !== 0)
    this.declared = alternatives.length === 0 || claimed.some(({ claim }) => claim !== undefined)
    this.types = this.#possible.reduce((types, { claim }) => types | (claim?.kinds ?? Kind.any), 0)
    this.#nodeOf = nodeOf
  }

  readonly #objects = lazy(() => this.#allowing(Kind.object))
  readonly #arrays = lazy(() => this.#allowing(Kind.array))
  readonly #names = lazy(() => {
    const rules = new Set(this.#objects().flat())
    return new Set([...rules].flatMap((rule) => Object.keys(objectAt(rule, 'properties'))))
  })
  readonly #hasPatterns = lazy(() => this.#objects().some((rules) => rules.some((rule) => patternsOf(rule).length > 0)))
  readonly #tupleLength = lazy(() =>
    Math.max(0, ...this.#arrays().flatMap((rules) => rules.map((rule) => tupleOf(rule).length))),
  )
  // A name that is not declared has no type, even where others are forbidden: `closed` says that.
  readonly #otherProperty = lazy(() => this.#join(this.#objects(), otherPropertiesOf))
  readonly #values = lazy(() => unionOfValues(this.#possible.map(({ claim }) => claim)))
  readonly #listed = lazy(() => [...this.#names()])
  readonly #required = lazy(() => requiredByAll(this.#objects()))
  readonly #closed = lazy(() => {
    const all = this.#objects()
    const isOpen = all.some((rules) => rules.some((rule) => own(rule, 'patternProperties') !== undefined))
    const forbids = (rules: Alternative) => rules.some((rule) => own(rule, 'additionalProperties') === false)
    return all.length > 0 && !isOpen && all.every(forbids)
  })
  readonly #branches = lazy((): readonly Branch[] => {
    const [only, ...others] = this.#possible
    if (only !== undefined && others.length === 0) return [{ node: this, rules: only.rules }]
    return this.#possible.map(({ rules }) => ({ node: new SchemaNode([rules], this.#nodeOf), rules }))
  })

  get values(): Node['values'] {
    return this.#values()
  }

  get properties(): Node['properties'] {
    return this.#listed()
  }

  get required(): Node['required'] {
    return this.#required()
  }

  get closed(): boolean {
    return this.#closed()
  }

  get branches(): readonly Branch[] {
    return this.#branches()
  }

  property(name: string): Node {
    if (!this.#mayDeclare(name)) return this.#otherProperty()
    const known = this.#properties.get(name)
    if (known !== undefined) return known
    const isDeclared = (rule: JsonObject): JsonSchema | undefined => declaredProperty(rule, name)
    const node = this.hasProperty(name) ? this.#join(this.#objects(), isDeclared) : this.#otherProperty()
    // Names that only a pattern matches are the model's to choose, so they are not kept.
    if (this.#names().has(name)) this.#properties.set(name, node)
    return node
  }

  hasProperty(name: string): boolean {
    const isDeclared = (rule: JsonObject): boolean => declaredProperty(rule, name) !== undefined
    return this.#mayDeclare(name) && this.#objects().some((rules) => rules.some(isDeclared))
  }

  item(index: number): Node {
    const place = Math.min(index, this.#tupleLength())
    const node = this.#items.get(place) ?? this.#join(this.#arrays(), (rule) => itemSchema(rule, place))
    this.#items.set(place, node)
    return node
  }

  #mayDeclare(name: string): boolean {
    return this.#names().has(name) || this.#hasPatterns()
  }

  #allowing(kind: number): readonly Alternative[] {
    return this.#possible.flatMap(({ rules, claim }) => (((claim?.kinds ?? Kind.any) & kind) !== 0 ? [rules] : []))
  }

  /** The node of what these alternatives say about one place. */
  #join(alternatives: readonly Alternative[], schemaOf: (rule: JsonObject) => JsonSchema | undefined): Node {
    const groups = alternatives
      .map((rules): Group => rules.map(schemaOf).filter((schema) => schema !== undefined))
      .filter((group) => group.length > 0)
    return groups.length === 0 ? ANY : this.#nodeOf(groups)
  }
}

const nothing: Node = new SchemaNode([], () => ANY)
const anyObject: Node = compileSchema({ type: 'object' })
/** A string, and nothing else. */
export const TEXT: Node = compileSchema({ type: 'string' })

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

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
