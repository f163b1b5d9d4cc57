import type { Tool } from '../../../../protocol/tool.ts'
import { compileParameters } from '../../../../schema/compile.ts'
import { Kind, type Node } from '../../../../schema/node.ts'
import { describeParameters } from '../describe.ts'

const types = [
  [Kind.string, 'str'],
  [Kind.number, 'float'],
  [Kind.integer, 'int'],
  [Kind.boolean, 'bool'],
  [Kind.array, 'list'],
  [Kind.object, 'dict'],
] as const

const indent = '    '
export const fence = `${indent}"""`
export const argumentsHeading = `${indent}Args:`

/**
 * def get_temp(room: str, n: int = None):
 *     """
 *     Read a sensor
 *
 *     Args:
 *     - room: (required) string - Room
 *     - n: (optional) integer
 *     """
 */
export function listAsPython({ name, description, parameters }: Tool): string {
  const node = compileParameters(parameters)
  const described = describeParameters(parameters).flatMap((line) => line.split('\n'))
  const words = (description ?? '').trim()
  const lines = [
    `def ${name}(${signatureOf(node)}):`,
    fence,
    ...(words === '' ? [] : [...words.split('\n').map((line) => indent + line), '']),
    ...(described.length === 0 ? [] : [argumentsHeading, ...described.map((line) => indent + line)]),
    fence,
  ]
  return lines.join('\n')
}

const maxNames = 100

/** Required ones first, as Python wants it; what is no Python name, or one too many, is only told below. */
function signatureOf(node: Node): string {
  const names = node.properties.filter((name) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)).slice(0, maxNames)
  const required = new Set(node.required)
  const isRequired = (name: string) => required.has(name)
  const ordered = [...names.filter(isRequired), ...names.filter((name) => !isRequired(name))]
  return ordered.map((name) => `${name}: ${typeOf(node.property(name))}${isRequired(name) ? '' : ' = None'}`).join(', ')
}

function typeOf({ types: kinds, declared }: Node): string {
  const real = kinds & ~Kind.null
  const found = types.filter(([kind]) => (real & kind) !== 0 && !(kind === Kind.integer && (real & Kind.number) !== 0))
  return declared && found.length === 1 ? (found[0]?.[1] ?? 'Any') : 'Any'
}
