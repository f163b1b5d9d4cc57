import type { JsonObject } from '../../../protocol/json.ts'

/** What is taken at `/v1/responses`, for `/openapi.json`. */
export const responsesBody: JsonObject = {
  type: 'object',
  required: ['model'],
  properties: {
    model: { type: 'string', minLength: 1 },
    input: { type: ['string', 'array'] },
    instructions: { type: ['string', 'null'] },
    previous_response_id: { type: ['string', 'null'] },
    tools: { type: 'array', items: { type: 'object' } },
    stream: { type: ['boolean', 'null'] },
  },
}
