import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { doors } from '../../src/doors/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import { answer, type OpenAiDouble, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { cutAtRandom } from '../doubles/text-model.ts'
import { type RunningGateway, startGateway } from '../dragoman.ts'
import { adapters, type Said, type Step, type ToolFields } from './same-task-adapters.ts'

/**
 * Doors differ in their wire only: the same task, told to each in its own words, asks the same of the model's service and
 * gives the client the same words and calls. Every door of the registry, native and in every dialect.
 */

const tools: readonly ToolFields[] = [
  {
    name: 'write_file',
    description: 'Writes a file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' }, mode: { type: 'integer' } },
      required: ['path', 'content'],
    },
  },
  {
    name: 'run',
    description: 'Runs a command',
    parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
]

interface Act {
  readonly text: string
  readonly thoughts?: string
  readonly calls: readonly { readonly name: string; readonly arguments: object }[]
  /** What the tools then say. */
  readonly results: readonly string[]
}

const acts: readonly Act[] = [
  {
    text: 'I write two files.',
    calls: [
      {
        name: 'write_file',
        arguments: { path: 'a.txt', content: 'It says "yes" \\ no.\nLine two: größe ✓', mode: 420 },
      },
      { name: 'write_file', arguments: { path: 'b.txt', content: 'x' } },
    ],
    results: ['written: first', 'written: second'],
  },
  {
    text: 'Now I run them.',
    calls: [{ name: 'run', arguments: { command: 'cat a.txt | sort && echo $HOME' } }],
    results: ['printed: third'],
  },
  { text: 'All done, and it printed third.', calls: [], results: [] },
]

/** Where one call a message is taught, the first counts. */
function actsFor(dialect: (typeof dialects)[number] | undefined): readonly Act[] {
  if (dialect?.grammar.single !== true) return acts
  return acts.map((act) => ({ ...act, calls: act.calls.slice(0, 1), results: act.results.slice(0, 1) }))
}

const native = 'native'
const models = [native, ...dialects.map(({ name }) => name)]
/** Also in one piece: that this is what a stream adds up to is every door's own law. */
const inOnePiece: ReadonlySet<string> = new Set([native, 'hermes', 'qwen3-coder', 'roo-xml', 'json-fence'])
const dialectOf = (model: string) => dialects.find(({ name }) => name === model)

/** The act a conversation has come to. */
function actAt(model: string, messages: unknown): Act {
  const told = JSON.stringify(messages)
  const all = actsFor(dialectOf(model))
  const place = all.findLastIndex(({ results }) => results.length > 0 && told.includes(results[0] ?? ''))
  return all[place + 1] ?? (all.at(-1) as Act)
}

describe('the same task through every door', () => {
  let double: OpenAiDouble
  let gateway: RunningGateway

  beforeAll(async () => {
    double = await startOpenAiDouble({
      models,
      respond(body, _headers, index) {
        const { model, messages } = body as { model: string; messages: unknown }
        const dialect = dialectOf(model)
        const { text, calls } = actAt(model, messages)
        const written = calls.map((call) => ({ ...call, arguments: JSON.stringify(call.arguments) }))
        if (dialect === undefined) return answer({ text, calls: written, reasoning: 'Let me think.' })
        const printed =
          written.length === 0
            ? ''
            : printCalls(
                dialect,
                written.map((call, at) => ({ ...call, id: `call_${at}` })),
              )
        return answer({
          text: cutAtRandom(printed === '' ? text : `${text}\n\n${printed}`, index),
          reasoning: 'Let me think.',
        })
      },
    })
    gateway = await startGateway({
      config: {
        upstreams: { service: { kind: 'openai', url: double.url } },
        models: Object.fromEntries(
          models.map((model) => [model, model === native ? { tools: native } : { tools: 'prompt', dialect: model }]),
        ),
      },
    })
  }, 30_000)
  afterAll(async () => {
    await gateway.stop()
    await double.close()
  })

  /**
   * What the client heard, act by act, and what the service was asked. Ids are made anew each time; any will do in the
   * history, so it has its own.
   */
  async function perform(door: string, model: string, stream: boolean) {
    const adapter = adapters[door]
    if (adapter === undefined) throw new Error(`no adapter for the door ${door}: add one to same-task-adapters.ts`)
    const port = Number(new URL(gateway.origin).port)
    const steps: Step[] = [
      { from: 'system', text: 'You are careful.' },
      { from: 'user', text: 'Write two files and run them.' },
    ]
    const heard: Omit<Said, 'calls'>[] = []
    const before = double.requests.length
    for (const { results } of actsFor(dialectOf(model))) {
      const said = await adapter({ port, model, steps, tools, stream })
      expect(new Set(said.calls.map(({ id }) => id)).size).toBe(said.calls.length)
      heard.push({ ...said, ...{ calls: said.calls.map(({ id: _id, ...call }) => call) } })
      const calls = said.calls.map((call, at) => ({ ...call, id: `call_${steps.length}_${at}` }))
      steps.push({ from: 'model', said: { ...said, calls } })
      if (results.length > 0) steps.push({ from: 'tools', results })
    }
    const asked = double.requests.slice(before).flatMap(({ method, body }) => {
      const { messages, tools: offered } = body as { messages: object[]; tools?: object[] }
      return method === 'POST' ? [{ messages, tools: offered }] : []
    })
    return { heard, asked }
  }

  test('every door has an adapter', () => {
    expect(doors.map(({ name }) => name).filter((name) => adapters[name] === undefined)).toEqual([])
  })

  test.each(models)('%s', async (model) => {
    const expected = actsFor(dialectOf(model)).map(({ text, calls }) => ({
      text,
      calls,
      end: 'stop',
      usage: [7, 5],
      thoughts: 'Let me think.',
    }))
    const performances = []
    for (const { name } of doors) {
      performances.push(await perform(name, model, true))
      if (inOnePiece.has(model)) performances.push(await perform(name, model, false))
    }
    const [first, ...others] = performances
    expect(first?.heard.map((said) => ({ ...said, text: said.text.trim() }))).toEqual(expected)
    for (const other of others) expect(other).toEqual(first)
  })
})
