import { toBase64 } from '../../bytes.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { type DoorContext, type Reply, reply } from '../door.ts'
import { expectFilled, inputs } from '../shared/embeddings.ts'
import { filledText, integer, object, oneOf, optional } from '../shared/fields.ts'

/** What is taken at `/v1/embeddings`, for `/openapi.json`. */
export const embeddingsBody: JsonObject = {
  type: 'object',
  required: ['model', 'input'],
  properties: {
    model: { type: 'string', minLength: 1 },
    input: {
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'array', minItems: 1, maxItems: 2048, items: { type: 'string', minLength: 1 } },
        { type: 'array', minItems: 1, items: { type: 'integer', minimum: 0 } },
        {
          type: 'array',
          minItems: 1,
          maxItems: 2048,
          items: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 0 } },
        },
      ],
    },
    dimensions: { type: ['integer', 'null'], minimum: 1 },
    encoding_format: { enum: ['float', 'base64', null] },
  },
}

const encoding = oneOf('float', 'base64')

/** `POST /v1/embeddings` */
export async function answerEmbeddings(context: DoorContext): Promise<Reply> {
  const fields = object(await context.body(), 'body')
  const model = filledText(fields['model'], 'model')
  const given = inputs(fields['input'], 'input')
  expectFilled(given, 'input')
  const dimensions = optional(integer(1))(fields['dimensions'], 'dimensions')
  const form = optional(encoding)(fields['encoding_format'], 'encoding_format') ?? 'float'
  const { vectors, promptTokens = 0 } = await context.embed({
    model,
    inputs: given,
    ...(dimensions !== undefined && { dimensions }),
  })
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: form === 'float' ? vector : toBase64(toFloats(vector)),
  }))
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens }
  return reply(JSON.stringify({ object: 'list', data, model, usage }))
}

/** 32-bit numbers, the lowest byte first, as OpenAI's own clients ask for them. */
function toFloats(vector: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(vector.length * 4))
  for (const [index, number] of vector.entries()) view.setFloat32(index * 4, number, true)
  return new Uint8Array(view.buffer)
}
