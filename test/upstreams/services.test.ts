import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import { type Flavour, plainTraits } from '../../src/upstreams/flavours/flavour.ts'
import { flavours } from '../../src/upstreams/flavours/registry.ts'
import { createUpstream } from '../../src/upstreams/registry.ts'
import { answer, ending, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { listen, request, startBoth, timeouts } from '../doubles/openai-upstream.ts'
import { run } from '../server/scripted.ts'

test('a flavour of one record is found out and written for', async () => {
  const nimbus: Flavour = {
    name: 'nimbus',
    fingerprints: [{ path: '/whoami', fits: (told) => told['product'] === 'nimbus' }],
    traits: {
      ...plainTraits,
      nativeTools: 'yes',
      maxTokens: 'max_completion_tokens',
      toolChoice: 'any',
      headers: { 'x-nimbus': '1' },
      drops: ['stream_options'],
    },
  }
  const questions = { '/whoami': { product: 'nimbus' } }
  const { double, upstream } = await startBoth([answer()], { flavours: [...flavours, nimbus] }, undefined, questions)
  const { signal } = new AbortController()
  expect(await upstream.probe('double', signal)).toMatchObject({ nativeTools: 'yes' })
  const tool = { kind: 'function', name: 'look' } as const
  await listen(upstream, signal, { ...request, tools: [tool], toolChoice: { mode: 'required' }, maxTokens: 9 })
  const sent = double.requests.at(-1)
  expect(sent?.body).toMatchObject({ max_completion_tokens: 9, tool_choice: 'any' })
  expect(sent?.body).not.toHaveProperty('stream_options')
  expect(sent?.headers['x-nimbus']).toBe('1')
})

test('more requests than a service bears wait in line, then are refused; who goes away leaves the line', async () => {
  const begun = ending(answer({ text: 'Hm', finish: null, done: false, usage: null }), 'hang')
  const double = await startOpenAiDouble({ respond: [begun, answer({ text: 'Yes.' })] })
  const upstream = createUpstream('one', { kind: 'openai', url: double.url, concurrency: 1, queue: 1 }, { timeouts })
  const turns = createTurns({
    upstreams: new Map([['one', upstream]]),
    models: [defaultSettings('m', ['one'])],
    newId: () => 'call_1',
  })
  const { gateway, port } = await run({ turns })
  const ask = (signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
      ...(signal && { signal }),
    })
  const [speaking, waiting] = [new AbortController(), new AbortController()]
  const first = ask(speaking.signal).catch(() => 'left')
  await expect.poll(() => upstream.load).toEqual({ active: 1, waiting: 0 })
  const second = ask(waiting.signal).catch(() => 'left')
  await expect.poll(() => upstream.load).toEqual({ active: 1, waiting: 1 })
  const refused = await ask()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
  expect(await refused.json()).toMatchObject({ error: { code: 'queue_full', type: 'rate_limit_error' } })
  waiting.abort()
  expect(await second).toBe('left')
  await expect.poll(() => upstream.load).toEqual({ active: 1, waiting: 0 })
  const third = ask()
  await expect.poll(() => upstream.load).toEqual({ active: 1, waiting: 1 })
  speaking.abort()
  expect(await first).toBe('left')
  expect((await third).status).toBe(200)
  expect(double.requests).toHaveLength(2)
  expect(upstream.load).toEqual({ active: 0, waiting: 0 })
  await gateway.close()
  await upstream.close()
  await double.close()
})
