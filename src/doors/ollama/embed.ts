import type { JsonObject } from '../../protocol/json.ts'
import { type DoorContext, type Reply, reply } from '../door.ts'
import { inputs } from '../shared/embeddings.ts'
import { integer, optional, text } from '../shared/fields.ts'
import { readFields, readModelName } from './exchange.ts'

const model: JsonObject = { type: 'string', minLength: 1 }

/** What is taken at `/api/embed`, for `/openapi.json`. */
export const embedBody: JsonObject = {
  type: 'object',
  required: ['model'],
  properties: {
    model,
    input: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 2048 }] },
    dimensions: { type: ['integer', 'null'], minimum: 1 },
  },
}

/** What is taken at `/api/embeddings`, the older form. */
export const embeddingsBody: JsonObject = {
  type: 'object',
  required: ['model'],
  properties: { model, prompt: { type: 'string' } },
}

const nanosecondsPerMs = 1e6

/** `POST /api/embed` */
export async function embed(context: DoorContext): Promise<Reply> {
  const start = context.now()
  const fields = readFields(await context.body())
  const name = readModelName(fields)
  const dimensions = optional(integer(1))(fields['dimensions'], 'dimensions')
  const { vectors, promptTokens = 0 } = await context.embed({
    model: name,
    inputs: optional(inputs)(fields['input'], 'input') ?? [],
    ...(dimensions !== undefined && { dimensions }),
  })
  const total_duration = (context.now() - start) * nanosecondsPerMs
  const said = { model: name, embeddings: vectors, total_duration, load_duration: 0, prompt_eval_count: promptTokens }
  return reply(JSON.stringify(said))
}

/** `POST /api/embeddings` */
export async function embedOne(context: DoorContext): Promise<Reply> {
  const fields = readFields(await context.body())
  const prompt = optional(text)(fields['prompt'] ?? fields['input'], 'prompt') ?? ''
  const { vectors } = await context.embed({
    model: readModelName(fields),
    inputs: prompt === '' ? [] : [prompt],
  })
  return reply(JSON.stringify({ embedding: vectors[0] ?? [] }))
}
