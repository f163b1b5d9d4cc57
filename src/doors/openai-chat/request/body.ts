import type { JsonObject } from '../../../protocol/json.ts'

/** The body of a chat completion, in outline: what `request.ts` asks for exactly. */
export const chatBody: JsonObject = {
  type: 'object',
  required: ['model', 'messages'],
  properties: {
    model: { type: 'string', minLength: 1 },
    messages: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['role'],
        properties: {
          role: { enum: ['system', 'developer', 'user', 'assistant', 'tool', 'function'] },
          content: { type: ['string', 'array', 'null'] },
          tool_calls: { type: ['array', 'null'] },
          tool_call_id: { type: 'string' },
        },
      },
    },
    tools: { type: ['array', 'null'], items: { type: 'object', required: ['type'] } },
    tool_choice: { type: ['string', 'object', 'null'] },
    parallel_tool_calls: { type: ['boolean', 'null'] },
    stream: { type: ['boolean', 'null'] },
    stream_options: { type: ['object', 'null'] },
    temperature: { type: ['number', 'null'], minimum: 0, maximum: 2 },
    top_p: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    max_tokens: { type: ['integer', 'null'], minimum: 1 },
    max_completion_tokens: { type: ['integer', 'null'], minimum: 1 },
    n: { type: ['integer', 'null'], minimum: 1 },
    stop: { type: ['string', 'array', 'null'] },
  },
}
