import { z } from 'zod'

/**
 * What a chat completion request looks like by its public description, told a second time and independently of the door:
 * the judge of what a mutation broke. Null stands for "not given", unknown fields are kept.
 */
const text = z.string()
const filled = text.min(1)
const maybe = <T extends z.ZodType>(type: T) => type.nullish()

const textPart = z.looseObject({ type: z.literal('text'), text })
const userPart = z.discriminatedUnion('type', [
  textPart,
  z.looseObject({
    type: z.literal('image_url'),
    image_url: z.union([filled, z.looseObject({ url: filled, detail: maybe(text) })]),
  }),
  z.looseObject({ type: z.literal('input_audio'), input_audio: z.looseObject({}) }),
  z.looseObject({ type: z.literal('file'), file: z.looseObject({}) }),
])
const words = z.union([text, z.array(textPart).min(1)])

const isObjectText = (value: string): boolean => {
  if (value.trim() === '') return true
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  } catch {
    return false
  }
}

const call = z.discriminatedUnion('type', [
  z.looseObject({
    id: filled,
    type: z.literal('function'),
    function: z.looseObject({ name: filled, arguments: text.refine(isObjectText) }),
  }),
  z.looseObject({ id: filled, type: z.literal('custom'), custom: z.looseObject({ name: filled, input: text }) }),
])

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: words }),
  z.looseObject({ role: z.literal('developer'), content: words }),
  z.looseObject({
    role: z.literal('user'),
    content: z.union([text, z.array(userPart).min(1)]),
    name: maybe(text),
  }),
  z.looseObject({
    role: z.literal('assistant'),
    content: maybe(z.union([text, z.array(textPart)])),
    tool_calls: maybe(z.array(call).min(1)),
    name: maybe(text),
  }),
  z.looseObject({
    role: z.literal('tool'),
    tool_call_id: filled,
    content: z.union([text, z.array(textPart)]),
    name: maybe(text),
  }),
])

const schema: z.ZodType = z.lazy(() =>
  z.union([
    z.boolean(),
    z.looseObject({
      type: z.union([text, z.array(text)]).optional(),
      description: maybe(text),
      properties: z.record(text, schema).optional(),
      required: z.array(text).optional(),
      items: schema.optional(),
      enum: z.array(z.unknown()).optional(),
      anyOf: z.array(schema).optional(),
      additionalProperties: schema.optional(),
      minimum: z.number().optional(),
    }),
  ]),
)

const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/)
const parameters = z.intersection(z.looseObject({ type: z.literal('object').optional() }), schema)

const tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: toolName,
    description: maybe(text),
    parameters: maybe(parameters),
    strict: maybe(z.boolean()),
  }),
})

const reference = z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: toolName }) })
const range = (minimum: number, maximum: number) => maybe(z.number().min(minimum).max(maximum))
const count = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) => maybe(z.int().min(minimum).max(maximum))

export const wire = z
  .looseObject({
    model: filled,
    messages: z.array(message).min(1),
    tools: maybe(z.array(tool)),
    tool_choice: maybe(
      z.union([
        z.enum(['none', 'auto', 'required']),
        reference,
        z.looseObject({
          type: z.literal('allowed_tools'),
          allowed_tools: z.looseObject({ mode: z.enum(['auto', 'required']), tools: z.array(reference).min(1) }),
        }),
      ]),
    ),
    parallel_tool_calls: maybe(z.boolean()),
    stream: maybe(z.boolean()),
    stream_options: maybe(z.looseObject({ include_usage: maybe(z.boolean()) })),
    temperature: range(0, 2),
    top_p: range(0, 1),
    presence_penalty: range(-2, 2),
    frequency_penalty: range(-2, 2),
    max_tokens: count(1),
    max_completion_tokens: count(1),
    n: count(1, 128),
    seed: maybe(z.int()),
    stop: maybe(z.union([text, z.array(text).max(4)])),
    user: maybe(text),
    reasoning_effort: maybe(filled),
    response_format: maybe(
      z.discriminatedUnion('type', [
        z.looseObject({ type: z.literal('text') }),
        z.looseObject({ type: z.literal('json_object') }),
        z.looseObject({
          type: z.literal('json_schema'),
          json_schema: z.looseObject({ name: filled.max(64), schema: maybe(z.looseObject({})) }),
        }),
      ]),
    ),
  })
  .refine((body) => linksHold(body.messages))
  .refine(({ stream, stream_options }) => stream === true || stream_options === undefined || stream_options === null)
  .refine(({ tools }) => new Set(tools?.map((one) => one.function.name)).size === (tools?.length ?? 0))
  .refine(({ tools, tool_choice }) => {
    const names = new Set(tools?.map((one) => one.function.name))
    if (tool_choice === undefined || tool_choice === null) return true
    if (typeof tool_choice === 'string') return tool_choice !== 'required' || names.size > 0
    const wanted =
      tool_choice.type === 'function'
        ? [tool_choice]
        : (tool_choice as { allowed_tools: { tools: Named[] } }).allowed_tools.tools
    return (wanted as Named[]).every((one) => names.has(one.function.name))
  })

interface Named {
  readonly function: { readonly name: string }
}

/** Every result answers a call that waits for one, and no call waits when the user speaks. */
function linksHold(messages: readonly z.infer<typeof message>[]): boolean {
  const open = new Set<string>()
  for (const one of messages) {
    if (one.role === 'assistant') {
      const ids = (one.tool_calls ?? []).map(({ id }) => id)
      if (new Set(ids).size < ids.length) return false
      for (const id of ids) open.add(id)
    }
    if (one.role === 'tool' && !open.delete(one.tool_call_id)) return false
    if (one.role === 'user' && open.size > 0) return false
  }
  return true
}
