import type { JsonObject } from '../../../protocol/json.ts'
import { own } from '../../../schema/kinds.ts'
import type { Node } from '../../../schema/node.ts'
import { requiredOf } from '../../../schema/rules.ts'
import type { Bounds } from './numbers.ts'

/** What no grammar of ours says. */
const unsaid = [
  'multipleOf',
  'uniqueItems',
  'contains',
  'not',
  'if',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'propertyNames',
  'patternProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'minProperties',
  'maxProperties',
  'format',
  'contentEncoding',
  'contentMediaType',
] as const

export function unsaidIn(rules: readonly JsonObject[]): readonly string[] {
  return rules.flatMap((rule) => unsaid.filter((keyword) => Object.hasOwn(rule, keyword)))
}

/** The members of an object, by its schema. */
interface Shape {
  readonly members: readonly { readonly name: string; readonly node: Node; readonly isRequired: boolean }[]
  /** Any others, where they are allowed. */
  readonly others: Node | undefined
}

/** A name nobody declares. */
const otherName = '\u0000'

/** What an object consists of. One that declares properties and says nothing of others has no others. */
export function shapeOf(node: Node, rules: readonly JsonObject[]): Shape {
  const required = new Set(rules.flatMap(requiredOf))
  const names = [...new Set([...node.properties, ...required])]
  const members = names
    .map((name) => ({ name, node: node.property(name), isRequired: required.has(name) }))
    .filter(({ node: member }) => !member.declared || member.types !== 0)
  const additional = rules.map((rule) => own(rule, 'additionalProperties')).filter((value) => value !== undefined)
  const hasPatterns = rules.some((rule) => Object.hasOwn(rule, 'patternProperties'))
  const isOpen =
    hasPatterns ||
    (additional.length > 0
      ? !additional.includes(false)
      : !rules.some((rule) => Object.hasOwn(rule, 'properties')) && required.size === 0)
  return { members, others: isOpen ? node.property(otherName) : undefined }
}

/** How large a number may be: the narrowest bounds of all rules. */
export function boundsOf(rules: readonly JsonObject[]): Bounds {
  const least = largest(rules, 'minimum')
  const most = smallest(rules, 'maximum')
  const above = largest(rules, 'exclusiveMinimum')
  const below = smallest(rules, 'exclusiveMaximum')
  return {
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
    ...(above === undefined ? {} : { above }),
    ...(below === undefined ? {} : { below }),
  }
}

export function largest(rules: readonly JsonObject[], key: string): number | undefined {
  const found = rules.map((rule) => own(rule, key)).filter((value) => typeof value === 'number')
  return found.length === 0 ? undefined : Math.max(...found)
}

export function smallest(rules: readonly JsonObject[], key: string): number | undefined {
  const found = rules.map((rule) => own(rule, key)).filter((value) => typeof value === 'number')
  return found.length === 0 ? undefined : Math.min(...found)
}
