import { textOf } from '../../src/protocol/message.ts'
import { drawTask } from '../../src/tune/battery/battery.ts'
import { createDice } from '../../src/tune/dice.ts'
import { answer, refusal, type Script, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { native, type Said, speak } from '../doubles/speak.ts'

/** How often a model does a task, by the way it is asked. */
export type Rates = Readonly<Record<string, number>>

interface Model {
  readonly rates: Rates
  /** The seed of the tasks it will be asked. */
  readonly seed: number
  readonly rounds: number
  /** How it says nothing of tools: what it refuses them with. */
  readonly refusesNative?: string
  readonly models?: readonly string[]
  /** Milliseconds to think, by the way it is asked. */
  readonly thinks?: (way: string) => Promise<void>
  /** Told of each request it answers. */
  readonly onAsked?: (way: string) => void
}

/** By what it is told, a model knows how it is to call. */
const signs: Readonly<Record<string, string>> = {
  hermes: 'inside <tool_call></tool_call> tags',
  'json-fence': 'reply with a code block that holds one JSON object',
  'xml-name-args': 'To use tools, respond with',
  'qwen3-coder': 'one <parameter=KEY> element',
}

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** A scripted model behind a real socket that knows the solution of every task, and fails with known rates. */
export function startModel({ rates, seed, rounds, refusesNative, models = ['scripted'], thinks, onAsked }: Model) {
  const dice = createDice('model', seed)
  const known = Array.from({ length: rounds }, (_, round) => {
    const drawn = drawTask(seed, round)
    const pieces = drawn.request.messages.map(({ content }) => bare(textOf(content))).filter((piece) => piece !== '')
    return { drawn, pieces, weight: pieces.join('').length }
  }).sort((a, b) => b.weight - a.weight)

  function solve(body: Record<string, unknown>) {
    const said = (body['messages'] as readonly { readonly content?: unknown }[]).map(({ content }) => content)
    const all = bare(
      said.map((content) => (typeof content === 'string' ? content : JSON.stringify(content ?? ''))).join(' '),
    )
    const found = known.find(({ pieces }) => pieces.every((piece) => all.includes(piece)))
    if (found === undefined) throw new Error(`no task for ${JSON.stringify(body['messages']).slice(-300)}`)
    return found.drawn
  }

  return startOpenAiDouble({
    models,
    async respond(body): Promise<Script> {
      const text = JSON.stringify(body['messages'])
      const way = Array.isArray(body['tools'])
        ? native
        : Object.entries(signs).find(([, sign]) => text.includes(sign))?.[0]
      if (way === undefined) return answer({ text: 'Hello.' })
      onAsked?.(way)
      await thinks?.(way)
      if (way === native && refusesNative !== undefined) return refusal(400, { error: { message: refusesNative } })
      const { solution, request } = solve(body)
      const isRight = dice.chance() < (rates[way] ?? 0)
      const right: Said =
        solution.calls.length > 0
          ? { calls: solution.calls }
          : { text: `I can tell you that: ${solution.words ?? 'of course'}.` }
      const wrong: Said =
        solution.calls.length > 0
          ? { text: 'I would rather not.' }
          : { calls: [{ name: request.tools[0]?.name ?? '', arguments: {} }] }
      return speak(way, {
        ...(isRight ? right : wrong),
        tools: request.tools,
        promptTokens: Math.round(JSON.stringify(body).length / 4),
      })
    },
  })
}
