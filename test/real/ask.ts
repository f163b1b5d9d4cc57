import type { Event } from '../../src/protocol/event.ts'
import { type Answer, fold } from '../../src/protocol/fold.ts'
import type { Request } from '../../src/protocol/request.ts'
import { isDone } from '../../src/tune/battery/judge.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import type { Turns } from '../../src/turn/turn.ts'
import { createTurns } from '../../src/turn/turns.ts'
import { toOpenAiBody } from '../../src/upstreams/openai/body.ts'
import type { Upstream } from '../../src/upstreams/upstream.ts'
import { ask } from '../exam/ask.ts'
import type { Arm } from './arms.ts'
import type { Outcome } from './kept.ts'
import type { Question } from './questions.ts'

export interface Served {
  /** Where the engine is: `http://127.0.0.1:8000`. */
  readonly origin: string
  /** The model's name there. */
  readonly model: string
}

type Said = Pick<Answer, 'content' | 'calls'> & { readonly promptTokens?: number | undefined }

/** An answer has no need of more, and one that runs away is cut. */
const maxTokens = 640
const answerMs = 300_000

/** Puts questions to a model: straight to its engine, or through a gateway with the settings of an arm. */
export function createAsk(served: Served, upstream: Upstream) {
  const turnsOf = new Map<string, Turns>()
  let ids = 0

  function through({ name, settings }: Arm): Turns {
    const known = turnsOf.get(name)
    if (known !== undefined) return known
    const model = { ...defaultSettings(served.model, [upstream.name]), ...settings }
    const made = createTurns({
      upstreams: new Map([[upstream.name, upstream]]),
      models: [model],
      newId: () => `call_${ids++}`,
    })
    turnsOf.set(name, made)
    return made
  }

  return async (arm: Arm, { id, category, request, solution }: Question): Promise<Outcome> => {
    const asked: Request = { ...request, model: served.model, sampling: { temperature: 0 }, maxTokens, extra: {} }
    const wanted = solution.calls.length > 0
    const about = { set: 'questions', arm: arm.name, id, category, wanted } as const
    const begun = performance.now()
    const signal = AbortSignal.timeout(answerMs)
    const seconds = () => Math.round((performance.now() - begun) / 100) / 10
    try {
      const said = await (arm.settings === undefined
        ? askStraight(served, asked)
        : askThrough(through(arm), asked, signal))
      const right = isDone(solution, said)
      const { promptTokens } = said
      return {
        ...about,
        called: said.calls.length > 0,
        right,
        seconds: seconds(),
        ...(promptTokens !== undefined && { promptTokens }),
        ...(!right && { said: shorten(`${said.content} ${said.calls.map(printCall).join(' ')}`) }),
      }
    } catch (thrown) {
      const failure = shorten(thrown instanceof Error ? thrown.message : String(thrown))
      return { ...about, called: false, right: false, seconds: seconds(), failure }
    }
  }
}

async function askThrough(turns: Turns, request: Request, signal: AbortSignal): Promise<Said> {
  const turn = await turns.start(request, { signal })
  const events: Event[] = []
  for await (const some of turn.events) events.push(...some)
  const { content, calls, usage } = fold(events)
  return { content, calls, promptTokens: usage?.promptTokens }
}

async function askStraight({ origin }: Served, request: Request): Promise<Said> {
  const { content, calls, error } = await ask(origin, toOpenAiBody(request))
  if (error !== undefined) throw new Error(error)
  return { content, calls: calls.map((call) => ({ id: '', ...call })) }
}

function printCall({ name, arguments: json }: { readonly name: string; readonly arguments: string }): string {
  return `→ ${name} ${json}`
}

function shorten(words: string): string {
  return words.length > 600 ? `${words.slice(0, 599)}…` : words
}
