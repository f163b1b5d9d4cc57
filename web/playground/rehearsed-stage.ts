import { createRehearsed } from '../../src/library/rehearsed.ts'
import { info } from '../data/store.ts'
import { opened } from './play.ts'
import type { Stage } from './stage.ts'

/** Slow enough to be watched. */
const tokensPerSecond = 40
const lookEveryMs = 60

/** The gateway in the page itself, for where there is no server: its only model is the scripted stand-in. */
export function createRehearsedStage(): Stage {
  const rehearsed = createRehearsed(tokensPerSecond)
  info.value = {
    version: '',
    recording: { store: 'memory', bodies: true, entries: 1, bytes: 0 },
    payloadLength: 1_000_000,
    doors: [],
    dialects: rehearsed.dialects,
    needsKey: false,
    access: 'all',
    now: Date.now(),
  }
  return {
    isListed: false,
    about: 'It runs in this page: the real gateway code, with a scripted stand-in for the model.',
    models: async () => [{ id: rehearsed.model }],
    async ask(question) {
      const { look, over } = rehearsed.ask(question)
      const show = (): void => {
        const exchange = look()
        opened.value = { state: 'here', id: exchange.id, exchange }
      }
      show()
      const timer = setInterval(show, lookEveryMs)
      try {
        await over
      } finally {
        clearInterval(timer)
        show()
      }
      const now = opened.peek()
      if (now?.state === 'here' && now.exchange.state === 'failed')
        throw new Error(wrongIn(now.exchange.got.body?.text))
    },
  }
}

function wrongIn(body = ''): string {
  try {
    const { error } = JSON.parse(body) as { readonly error?: { readonly message?: string } }
    return error?.message ?? body
  } catch {
    return body
  }
}
