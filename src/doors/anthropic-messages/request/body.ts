import type { JsonObject } from '../../../protocol/json.ts'

const properties: JsonObject = {
  model: { type: 'string', minLength: 1 },
  messages: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['role', 'content'],
      properties: { role: { type: 'string' }, content: { type: ['string', 'array'] } },
    },
  },
  system: { type: ['string', 'array'] },
  tools: { type: 'array', items: { type: 'object' } },
}

/** What is taken at `/v1/messages`, for `/openapi.json`. */
export const messagesBody: JsonObject = {
  type: 'object',
  required: ['model', 'messages', 'max_tokens'],
  properties: { ...properties, max_tokens: { type: 'integer', minimum: 1 }, stream: { type: 'boolean' } },
}

export const countBody: JsonObject = { type: 'object', required: ['model', 'messages'], properties }
