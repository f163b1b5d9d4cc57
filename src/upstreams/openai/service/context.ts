import { GatewayError } from '../../../errors.ts'
import { createMemory } from '../../../protocol/memory/memory.ts'
import type { Flavour } from '../../flavours/flavour.ts'
import type { ContextWindow, UpstreamEvent } from '../../upstream.ts'
import type { Ask } from './identity.ts'

/** How much of a conversation each model of a service is given, by the service's own word. */
export interface Contexts {
  /** Asks. What it says of one model is what its other answers leave open. */
  ask(flavour: Flavour, model: string): Promise<ContextWindow>
  /** What it said last. */
  known(model: string): ContextWindow | undefined
}

const maxKnown = 500

export function createContexts(ask: Ask, wanted: number | undefined): Contexts {
  const told = createMemory<ContextWindow>({ entries: maxKnown })
  return {
    async ask({ context, chat, traits }, model) {
      const answers = await Promise.all(
        (context ?? []).map(async (question) => {
          const answer = await ask(question, model)
          return answer === undefined ? {} : question.read(answer, model)
        }),
      )
      const said: ContextWindow = Object.assign({}, ...answers.toReversed())
      const window: ContextWindow =
        wanted !== undefined && chat !== undefined
          ? { ...said, tokens: Math.min(wanted, said.most ?? wanted) }
          : {
              ...said,
              ...(traits.cutsPrompts && { cuts: true }),
              ...(traits.contextRemedy && { remedy: traits.contextRemedy }),
            }
      told.set(model, window)
      return window
    },
    known: told.get,
  }
}

/** What is told of a prompt that is too large before anything of the answer. */
export function toCutNote({ tokens, remedy = '' }: ContextWindow = {}): UpstreamEvent {
  return {
    type: 'note',
    kind: 'prompt_truncated',
    detail: `It does not fit into a context of ${tokens} tokens. ${remedy}`.trim(),
  }
}

/** A refusal of too large a prompt, with what to do about it. */
export function withRemedy(failure: GatewayError, remedy: string | undefined): GatewayError {
  if (failure.code !== 'context_length_exceeded' || remedy === undefined) return failure
  const said = /[.!?]$/.test(failure.message) ? failure.message : `${failure.message}.`
  return new GatewayError(failure.code, `${said} ${remedy}`, { param: failure.param ?? undefined })
}
