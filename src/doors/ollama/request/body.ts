import type { JsonObject } from '../../../protocol/json.ts'

const model: JsonObject = { type: 'string', minLength: 1 }

/** What is taken at `/api/chat`, for `/openapi.json`. */
export const chatBody: JsonObject = {
  type: 'object',
  required: ['model'],
  properties: {
    model,
    messages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['role'],
        properties: { role: { type: 'string' }, content: { type: 'string' } },
      },
    },
    tools: { type: 'array', items: { type: 'object' } },
    stream: { type: 'boolean' },
  },
}

export const generateBody: JsonObject = {
  type: 'object',
  required: ['model'],
  properties: { model, prompt: { type: 'string' }, stream: { type: 'boolean' } },
}

/** The older clients say `name`. */
export const namedBody: JsonObject = {
  type: 'object',
  properties: { model, name: model },
  anyOf: [{ required: ['model'] }, { required: ['name'] }],
}
