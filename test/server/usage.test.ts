import { afterEach, expect, test } from 'vitest'
import { ask, batches, chat, type Running, run, say, scriptTurns, stop } from './scripted.ts'

let running: Running
afterEach(() => running.gateway.close())

test.each<[string, object, boolean]>([
  ['a whole answer', {}, true],
  ['a stream', { stream: true }, false],
  ['a stream whose client asks for it', { stream: true, stream_options: { include_usage: true } }, true],
])('usage is counted for %s only where it is told', async (_, more, usage) => {
  const turns = scriptTurns(() =>
    batches([say('Well.'), { type: 'usage', promptTokens: 1, completionTokens: 1 }, stop]),
  )
  running = await run({ turns })
  const { text } = await ask(running.port, { body: { ...chat, ...more } })
  expect(turns.starts[0]?.context.usage).toBe(usage)
  expect(text.includes('prompt_tokens')).toBe(usage)
})
