import { modelNameFor, type World } from './world.ts'

const rounds = 40
const tools = Array.from({ length: 25 }, (_, at) => ({
  type: 'function',
  function: {
    name: `tool_${at}`,
    description: `Does the ${at}th of the things an agent can do. `.repeat(8),
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The absolute path of a file' },
        options: { type: 'object', properties: { limit: { type: 'integer', minimum: 1 }, deep: { type: 'boolean' } } },
        edits: {
          type: 'array',
          items: { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } },
        },
      },
      required: ['path'],
    },
  },
}))

/** What tools add to an answer, in milliseconds: the medians of requests with 25 of them, taught or native, and with none. */
export async function measureOverhead(world: World, column: string): Promise<{ plainMs: number; toolsMs: number }> {
  const plain: number[] = []
  const withTools: number[] = []
  for (let round = 0; round < rounds; round++) {
    plain.push(await timeAnswer(world, column, {}))
    withTools.push(await timeAnswer(world, column, { tools }))
  }
  return { plainMs: median(plain), toolsMs: median(withTools) }
}

async function timeAnswer(world: World, column: string, extra: object): Promise<number> {
  const body = JSON.stringify({
    model: modelNameFor(column),
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
    ...extra,
  })
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
  const startedMs = performance.now()
  const response = await fetch(`${world.recorder.urlFor('overhead')}/chat/completions`, {
    method: 'POST',
    headers,
    body,
  })
  await response.text()
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  return performance.now() - startedMs
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
