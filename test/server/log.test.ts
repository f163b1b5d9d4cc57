import { expect, onTestFinished, test } from 'vitest'
import type { Event } from '../../src/protocol/event.ts'
import { ask, chat, createManualClock, run, say, scriptTurns, stop } from './scripted.ts'

const usage: Event = { type: 'usage', promptTokens: 30, completionTokens: 2 }

test.each([true, false])('the log has the tokens and when the model first spoke, stream %s', async (stream) => {
  const clock = createManualClock()
  const turns = scriptTurns(async function* () {
    clock.advance(120)
    yield [{ type: 'note', kind: 'queued' } as const]
    clock.advance(80)
    yield [say('Hi')]
    clock.advance(300)
    yield [usage, stop]
  })
  const running = await run({ turns, clock })
  onTestFinished(() => running.gateway.close())
  const logged = running.nextRecord()
  await ask(running.port, { body: { ...chat, stream } })
  expect(await logged).toMatchObject({ ms: 500, firstByteMs: 200, promptTokens: 30, completionTokens: 2 })
})

test('a request that gets no answer from a model has neither', async () => {
  const running = await run({ turns: scriptTurns(() => Promise.reject(new Error('no'))) })
  onTestFinished(() => running.gateway.close())
  const logged = running.nextRecord()
  await ask(running.port)
  const record = await logged
  expect([record.firstByteMs, record.promptTokens, record.completionTokens]).toEqual([undefined, undefined, undefined])
})
