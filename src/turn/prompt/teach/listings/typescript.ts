import type { Json, JsonObject, JsonSchema } from '../../../../protocol/json.ts'
import type { Tool } from '../../../../protocol/tool.ts'
import { compileParameters } from '../../../../schema/compile.ts'
import { own } from '../../../../schema/kinds.ts'
import { Kind, type Node } from '../../../../schema/node.ts'
import { findProperty, follow, followItems, limitsOf } from './words.ts'

const maxDepth = 5
/** Places of one tool: a schema that refers to itself in many places would never end. Beyond this, names must do. */
const maxPlaces = 400

interface Page {
  readonly root: JsonSchema
  places: number
}

/**
 * // Read a sensor
 * type get_temp = (_: {
 * // Room
 * room: string,
 * n?: number, // integer; minimum: 1
 * }) => any;
 */
export function listAsTypeScript({ name, description, parameters }: Tool): string {
  const node = compileParameters(parameters)
  const words = description === undefined ? '' : comment(description)
  if (node.properties.length === 0) return `${words}type ${name} = () => any;`
  const page = { root: parameters ?? {}, places: 0 }
  return `${words}type ${name} = (_: ${printObject(node, page.root, page, 0)}) => any;`
}

function printObject(node: Node, schema: JsonSchema, page: Page, depth: number): string {
  const required = new Set(node.required)
  const lines = node.properties.map((name) => {
    const mark = required.has(name) ? '' : '?'
    page.places += 1
    if (page.places > maxPlaces) return `${toKey(name)}${mark}: any,\n`
    const child = node.property(name)
    const childSchema = follow(findProperty(schema, page.root, name), page.root)
    const description = own(childSchema, 'description')
    const words = typeof description === 'string' ? comment(description) : ''
    const facts = [...(isWhole(child) ? ['integer'] : []), ...limitsOf(childSchema)]
    const notes = facts.length === 0 ? '' : ` // ${facts.join('; ').replaceAll('\n', ' ')}`
    return `${words}${toKey(name)}${mark}: ${printType(child, childSchema, page, depth + 1)},${notes}\n`
  })
  return `{\n${lines.join('')}}`
}

function printType(node: Node, schema: JsonObject, page: Page, depth: number): string {
  if (!node.declared || node.types === Kind.any) return 'any'
  if (node.values !== undefined) return node.values.map((value: Json) => JSON.stringify(value)).join(' | ')
  const types: string[] = []
  if ((node.types & (Kind.number | Kind.integer)) !== 0) types.push('number')
  if ((node.types & Kind.string) !== 0) types.push('string')
  if ((node.types & Kind.boolean) !== 0) types.push('boolean')
  if ((node.types & Kind.array) !== 0) types.push(printArray(node, schema, page, depth))
  if ((node.types & Kind.object) !== 0) {
    const isOpen = node.properties.length === 0 || depth >= maxDepth || page.places >= maxPlaces
    types.push(isOpen ? 'object' : printObject(node, schema, page, depth))
  }
  if ((node.types & Kind.null) !== 0) types.push('null')
  return types.length === 0 ? 'never' : types.join(' | ')
}

function printArray(node: Node, schema: JsonObject, page: Page, depth: number): string {
  if (depth >= maxDepth || page.places >= maxPlaces) return 'any[]'
  const item = printType(node.item(0), followItems(schema, page.root), page, depth + 1)
  return item.includes(' | ') ? `Array<${item}>` : `${item}[]`
}

/** Numbers here, or in the array here, are whole ones: TypeScript has no word for it. */
function isWhole(node: Node): boolean {
  if (!node.declared || node.values !== undefined) return false
  if ((node.types & Kind.number) !== 0) return false
  if ((node.types & Kind.integer) !== 0) return true
  return node.types === Kind.array && isWhole(node.item(0))
}

function toKey(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name)
}

function comment(words: string): string {
  const lines = words.trim().split('\n')
  return lines.map((line) => `// ${line}\n`).join('')
}
