/** What clients send: an agent's tools, and a conversation that may have gone on for a while. */
const sentence = 'The quick brown fox jumps over the lazy dog; const total = items.map((item) => item.price < 3)\n'

const tools = Array.from({ length: 10 }, (_, n) => ({
  type: 'function',
  function: {
    name: `tool_${n}`,
    description: sentence.repeat(3),
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where to look, as an absolute path' },
        content: { type: 'string' },
        mode: { type: 'string', enum: ['read', 'write', 'append'], default: 'read' },
        limit: { type: 'integer', minimum: 1, maximum: 2000 },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
}))

export interface Asked {
  /** The script the service follows. */
  readonly model: string
  readonly stream: boolean
  /** How many turns lie behind this question: each a question, a call and its result. */
  readonly turns?: number
  /** Makes a conversation that no other request has. */
  readonly salt?: string
  /** Characters of the question, where it is to be long. */
  readonly length?: number
}

export function bodyOf({ model, stream, turns = 0, salt = '', length = 0 }: Asked): string {
  const past = Array.from({ length: turns }, (_, n) => [
    { role: 'user', content: `${n} ${salt}: ${sentence}` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `call_${salt}_${n}`,
          type: 'function',
          function: { name: 'tool_1', arguments: JSON.stringify({ path: `/src/${salt}/${n}.ts`, content: sentence }) },
        },
      ],
    },
    { role: 'tool', tool_call_id: `call_${salt}_${n}`, content: `${salt} ${n}: ${sentence.repeat(8)}` },
  ]).flat()
  const question = length === 0 ? `What about it, ${salt}?` : sentence.repeat(Math.ceil(length / sentence.length))
  const messages = [{ role: 'system', content: sentence.repeat(10) }, ...past, { role: 'user', content: question }]
  return JSON.stringify({ model, stream, messages, tools })
}
