import type { Json, JsonObject } from '../protocol/json.ts'
import { kindsOfValue, own } from './kinds.ts'
import { Kind, type Node } from './node.ts'
import { declaredProperty, requiredOf } from './rules.ts'

/** One thing wrong with a call's arguments, worded for the model that has to put it right. */
export interface Problem {
  /** Like `filters[2].count`; empty for the arguments as a whole. */
  readonly path: string
  readonly message: string
}

const problemLimit = 20
const depthLimit = 64
const stepLimit = 20_000

/**
 * What is wrong with a value by its schema. `pattern` and `format` are not checked: clients' patterns are untrusted, and tools
 * read formats more generously than any validator. Neither are `not`, `if` and the `unevaluated` family. A value too large
 * to look through passes: this is advice for the model, and the tool has the last word.
 */
export function checkArguments(node: Node, value: unknown): readonly Problem[] {
  let steps = 0

  function check(place: Node, item: unknown, path: string, depth: number): readonly Problem[] {
    steps += 1
    if (steps > stepLimit || depth > depthLimit || !place.declared) return []
    if (place.types === 0) return [{ path, message: `${quote(path)} must be left out` }]
    if (!allows(place, item))
      return [{ path, message: `${quote(path)} must be ${oneOfKinds(place.types)}, got ${show(item)}` }]
    if (place.values !== undefined && !place.values.some((listed) => isSame(listed, item, 0))) {
      return [{ path, message: `${quote(path)} must be ${oneOfValues(place.values)}, got ${show(item)}` }]
    }
    let best: readonly Problem[] | undefined
    for (const branch of place.branches) {
      if (!allows(branch.node, item)) continue
      const problems = checkRules(branch.node, branch.rules, item, path, depth)
      if (problems.length === 0) return []
      if (best === undefined || problems.length < best.length) best = problems
    }
    return best ?? []
  }

  function checkRules(
    place: Node,
    rules: readonly JsonObject[],
    item: unknown,
    path: string,
    depth: number,
  ): readonly Problem[] {
    const { values } = place
    if (values !== undefined && !values.some((listed) => isSame(listed, item, 0))) {
      return [{ path, message: `${quote(path)} must be ${oneOfValues(values)}, got ${show(item)}` }]
    }
    const problems: Problem[] = []
    if (isBounded(item)) for (const rule of rules) checkBounds(rule, item, path, problems)
    const add = (more: readonly Problem[]): boolean => {
      problems.push(...more.slice(0, problemLimit - problems.length))
      return problems.length < problemLimit
    }
    if (Array.isArray(item)) {
      for (const [index, element] of item.entries()) {
        if (!add(check(place.item(index), element, `${path}[${index}]`, depth + 1))) break
        if (steps > stepLimit) break
      }
    } else if (typeof item === 'object' && item !== null) {
      add(checkNames(place, rules, item, path))
      for (const [name, member] of Object.entries(item)) {
        if (!add(check(place.property(name), member, join(path, name), depth + 1))) break
        if (steps > stepLimit) break
      }
    }
    return problems
  }

  return check(node, value, '', 0)
}

function checkNames(place: Node, rules: readonly JsonObject[], item: object, path: string): readonly Problem[] {
  const problems: Problem[] = []
  for (const name of new Set(rules.flatMap(requiredOf))) {
    if (problems.length >= problemLimit) return problems
    if (!Object.hasOwn(item, name)) {
      problems.push({ path: join(path, name), message: `missing required ${quote(join(path, name))}` })
    }
  }
  // With patterns we do not run, a name may be declared without our knowing.
  const closed = rules.some((rule) => own(rule, 'additionalProperties') === false)
  if (!closed || rules.some((rule) => Object.hasOwn(rule, 'patternProperties'))) return problems
  for (const name of Object.keys(item)) {
    if (problems.length >= problemLimit) return problems
    if (rules.some((rule) => declaredProperty(rule, name) !== undefined)) continue
    const known = place.properties.slice(0, 20).map(quote).join(', ')
    const remedy = known === '' ? 'there are no parameters here' : `the parameters are ${known}`
    problems.push({ path: join(path, name), message: `${quote(join(path, name))} is not a parameter: ${remedy}` })
  }
  return problems
}

/** Whether there are bounds for such a value. */
function isBounded(item: unknown): boolean {
  return typeof item === 'string' || typeof item === 'number' || Array.isArray(item)
}

function checkBounds(rule: JsonObject, item: unknown, path: string, problems: Problem[]): void {
  const bound = (key: string): number | undefined => {
    const limit = own(rule, key)
    return typeof limit === 'number' ? limit : undefined
  }
  const add = (rule: string, got: string) => problems.push({ path, message: `${quote(path)} must ${rule}, got ${got}` })
  if (typeof item === 'number') {
    const atLeast = bound('minimum')
    const atMost = bound('maximum')
    const above = bound('exclusiveMinimum')
    const below = bound('exclusiveMaximum')
    if (atLeast !== undefined && item < atLeast) add(`be at least ${atLeast}`, `${item}`)
    if (atMost !== undefined && item > atMost) add(`be at most ${atMost}`, `${item}`)
    if (above !== undefined && item <= above) add(`be greater than ${above}`, `${item}`)
    if (below !== undefined && item >= below) add(`be less than ${below}`, `${item}`)
  }
  const sized =
    typeof item === 'string'
      ? { length: lengthOf(item), least: bound('minLength'), most: bound('maxLength'), unit: 'character' }
      : Array.isArray(item)
        ? { length: item.length, least: bound('minItems'), most: bound('maxItems'), unit: 'item' }
        : undefined
  if (sized === undefined) return
  const { length, least, most, unit } = sized
  if (least !== undefined && length < least) add(`have at least ${plural(least, unit)}`, `${length}`)
  if (most !== undefined && length > most) add(`have at most ${plural(most, unit)}`, `${length}`)
}

function allows(node: Node, value: unknown): boolean {
  const kinds = kindsOfValue(value)
  // A fraction's kinds are integer and number together: it needs the number bit.
  return ((kinds & Kind.number) === 0 ? node.types & kinds : node.types & Kind.number) !== 0
}

const kindWords: readonly (readonly [number, string])[] = [
  [Kind.string, 'a string'],
  [Kind.number, 'a number'],
  [Kind.integer, 'an integer'],
  [Kind.boolean, 'true or false'],
  [Kind.array, 'an array'],
  [Kind.object, 'an object'],
  [Kind.null, 'null'],
]

function oneOfKinds(types: number): string {
  const kinds = (types & Kind.number) !== 0 ? types & ~Kind.integer : types
  return kindWords.flatMap(([kind, words]) => ((kinds & kind) !== 0 ? [words] : [])).join(' or ')
}

function oneOfValues(values: readonly Json[]): string {
  const shown = values.slice(0, 20).map(literal)
  if (values.length > shown.length) shown.push('…')
  return shown.length === 1 ? (shown[0] ?? '') : `one of ${shown.join(', ')}`
}

function show(value: unknown): string {
  if (typeof value === 'string') return `the string ${literal(value)}`
  if (typeof value === 'number') return `the number ${value}`
  return literal(value)
}

/** A value in a message: short, and never a walk through a large one. */
function literal(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

function isSame(left: unknown, right: unknown, depth: number): boolean {
  if (left === right || depth > depthLimit) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const entries = Object.entries(left)
  if (entries.length !== Object.keys(right).length) return false
  const others = new Map(Object.entries(right))
  return entries.every(([key, value]) => others.has(key) && isSame(value, others.get(key), depth + 1))
}

/** Length in characters, not UTF-16 units, as JSON Schema counts. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function quote(path: string): string {
  return path === '' ? 'the value' : `\`${path}\``
}
