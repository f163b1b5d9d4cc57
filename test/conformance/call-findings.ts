import { hasFaintMarks } from '../../src/dialects/dialect.ts'
import { findDialect } from '../../src/dialects/registry.ts'
import { isJsonObject } from '../../src/protocol/json.ts'
import { isCutOff } from './cut-off.ts'
import type { Called, Comparison } from './judge.ts'
import { type Finding, grounds } from './promises.ts'
import { groundOfValues } from './values.ts'
import { declaredTools, needsNames, type Vector } from './vector.ts'

/** Whether we made a call that the row does not have: no rule may excuse that. */
export function isInvented({ vector, got }: Comparison): boolean {
  return matches(vector.expected_calls, got.calls) === undefined
}

/** Why our calls are fewer than the row's, or have other values. Undefined: for no reason that counts. */
export function explainCalls(row: Comparison): Finding | undefined {
  const { expected_calls: expected } = row.vector
  const ours = matches(expected, row.got.calls) ?? []
  const missing = expected.filter((_, index) => ours[index] === undefined)
  if (missing.length === 0) return groundOfValues(row)
  const isRestSame = expected.every(({ arguments: json }, index) => {
    const call = ours[index]
    return call === undefined || JSON.stringify(call.arguments) === JSON.stringify(json)
  })
  return isRestSame ? absences.find(({ holds }) => missing.every((call) => holds(call, row))) : undefined
}

/** Our call for each of the row's, by name and in order; undefined when one of ours has no place. */
function matches(expected: readonly Called[], got: readonly Called[]): readonly (Called | undefined)[] | undefined {
  let next = 0
  const found = expected.map(({ name }) => (got[next]?.name === name ? got[next++] : undefined))
  return next === got.length ? found : undefined
}

const declarable = /^[\w.:/-]+$/

interface Absence extends Finding {
  holds(call: Called, row: Comparison): boolean
}

/** Why a call the row expects is none. */
const absences: readonly Absence[] = [
  {
    ground: grounds.enough,
    why: 'A name that no client could declare.',
    holds: ({ name }) => !declarable.test(name),
  },
  {
    ground: grounds.malformed,
    why: 'The row holds only the end of its text: the name of the call it expects is not in it.',
    holds: ({ name }, { vector, got }) => !vector.text.includes(name) && got.content.trim() === vector.text.trim(),
  },
  {
    ground: grounds.cutOff,
    why: 'The row completes a call that was cut off.',
    holds: (call, { vector }) =>
      vector.expected_calls.at(-1) === call && isCutOff(vector.text) && isOpenIn(call, vector.text),
  },
  {
    ground: grounds.unknown,
    why: 'A tool that was not declared, in marks that are ordinary text or its name.',
    holds: ({ name }, { vector }) =>
      knowsByName(vector) && declaredTools(vector).length > 0 && toolOf(name, vector) === undefined,
  },
  {
    ground: grounds.faint,
    why: 'Prose follows what the row takes for a call, in marks that are ordinary text.',
    holds: (_, { vector }) => isFaint(vector) && !/[\]})>`]\s*$/.test(vector.text),
  },
  {
    ground: grounds.bare,
    why: 'A call without marks whose arguments do not fit the schema.',
    holds: ({ name, arguments: json }, { vector }) => {
      const tool = toolOf(name, vector)
      const keys = Object.keys(json as object)
      const fits =
        tool?.required.every((key) => keys.includes(key)) && keys.every((key) => tool.properties.includes(key))
      return isFaint(vector) && tool !== undefined && !fits
    },
  },
  {
    ground: grounds.silent,
    why: 'The row expects `{}` for a tool that requires parameters.',
    holds: ({ name, arguments: json }, { vector }) =>
      JSON.stringify(json) === '{}' && (toolOf(name, vector)?.required.length ?? 0) > 0,
  },
]

/** Whether a value of the call is the last thing in the text, tags aside; a call without values may be. */
function isOpenIn({ arguments: json }: Called, text: string): boolean {
  const values = Object.values(json as object).map(String)
  return values.length === 0 || values.some((value) => text.replace(/(?:<[^<>"]*>|\s)*$/, '').endsWith(value))
}

function knowsByName({ format }: Vector): boolean {
  const dialect = findDialect(format)
  return dialect !== undefined && needsNames(dialect)
}

function isFaint({ format }: Vector): boolean {
  const dialect = findDialect(format)
  return dialect !== undefined && hasFaintMarks(dialect.grammar)
}

function toolOf(name: string, vector: Vector) {
  const tool = declaredTools(vector).find((declared) => declared.name === name)
  if (tool === undefined) return undefined
  const { properties, required } = isJsonObject(tool.parameters) ? tool.parameters : {}
  return {
    properties: isJsonObject(properties) ? Object.keys(properties) : [],
    required: Array.isArray(required) ? required.map(String) : [],
  }
}
