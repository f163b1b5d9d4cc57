import type { JsonObject } from '../../protocol/json.ts'
import type { Tool } from '../../protocol/tool.ts'
import { createHoist } from '../../schema/hoist.ts'

/** Some services (Ollama) sort the keys of a schema and so of the answer: the name has to come first in that order, too. */
export const argumentsKey = 'parameters'

/** The whole answer as one JSON object that is a call, for services that take a JSON Schema and nothing finer. */
export function toAnswerSchema(tools: readonly Tool[], dropped?: ReadonlySet<string>): JsonObject {
  const hoist = createHoist(dropped)
  const calls = tools.map(({ name, parameters }) => ({
    type: 'object',
    properties: {
      name: { const: name },
      [argumentsKey]: hoist.place(parameters ?? { type: 'object', properties: {} }),
    },
    required: ['name', argumentsKey],
    additionalProperties: false,
  }))
  const [only] = calls
  const schema = calls.length === 1 && only !== undefined ? only : { anyOf: calls }
  return Object.keys(hoist.definitions).length === 0 ? schema : { ...schema, $defs: hoist.definitions }
}
