import { describe, expect, test } from 'vitest'
import { answer, ending, event, json, raw, refusal, type Script, silence } from '../../../test/doubles/openai-compat.ts'
import { listen, request, startBoth, timeouts } from '../../../test/doubles/openai-upstream.ts'
import type { UpstreamRequest } from '../upstream.ts'
import type { OpenAiOptions } from './openai.ts'

function delta(fields: object, finish: string | null = null): string {
  return event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })
}

describe('the request', () => {
  const cases: [string, Partial<OpenAiOptions>, Partial<UpstreamRequest>, string | undefined][] = [
    ['carries no key when there is none', {}, { clientKey: 'theirs' }, undefined],
    ['carries the configured key', { key: 'ours' }, { clientKey: 'theirs' }, 'Bearer ours'],
    ["carries the client's own key", { key: 'passthrough' }, { clientKey: 'theirs' }, 'Bearer theirs'],
    ['carries no key when the client has none', { key: 'passthrough' }, {}, undefined],
  ]
  test('a refusal for want of a key names the header to send one in', async () => {
    const refuse = () =>
      startBoth([{ status: 401, headers: {}, writes: ['{"error":"Unauthorized"}'], ending: 'end' }], {
        key: 'passthrough',
      })
    const heard = await listen((await refuse()).upstream)
    expect(heard.thrown).toMatchObject({
      code: 'upstream_auth',
      message: expect.stringContaining('header x-dragoman-upstream-key'),
    })
    const other = await listen((await refuse()).upstream, undefined, { ...request, clientKey: 'theirs' })
    expect(other.thrown).not.toMatchObject({ message: expect.stringContaining('x-dragoman-upstream-key') })
  })

  test.each(cases)('%s', async (_, options, fields, authorization) => {
    const { upstream, double } = await startBoth([answer()], options)
    await listen(upstream, undefined, { ...request, ...fields })
    expect(double.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { 'accept-encoding': 'identity', 'content-type': 'application/json' },
      body: { model: 'double', messages: [{ role: 'user', content: 'Hello' }], stream: true },
    })
    expect(double.requests[0]?.headers.authorization).toBe(authorization)
  })

  test('keeps the query of the configured url', async () => {
    const { double } = await startBoth([answer()])
    const { upstream } = await startBoth([answer()], { url: `${double.url}/?api-version=1` })
    await listen(upstream)
    expect(double.requests[0]?.path).toBe('/v1/chat/completions?api-version=1')
  })

  test('goes over the connection of the last one', async () => {
    const { upstream, double } = await startBoth([answer({ text: 'x' })])
    await listen(upstream)
    expect(await double.requests[0]?.over).toBe('ended')
    // The last chunk of the first response has left; a few turns of the loop let it arrive.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await listen(upstream)
    expect(double.requests[1]?.connection).toBe(double.requests[0]?.connection)
  })
})

describe('who no longer wants the answer hangs up at once', () => {
  const gone = new Error('client gone')

  test.each([
    ['before the status line', silence],
    ['before the first event', ending(raw([]), 'hang')],
    ['inside an event', ending(raw(['data: {"cho']), 'hang')],
    ['inside a refusal', ending(refusal(500, 'hm'), 'hang')],
  ])('%s', async (_, script) => {
    const { upstream, double } = await startBoth([script])
    const abort = new AbortController()
    const heard = listen(upstream, abort.signal)
    const { over } = await double.nextRequest()
    const at = performance.now()
    abort.abort(gone)
    expect((await heard).thrown).toBe(gone)
    expect(await over).toBe('aborted')
    expect(performance.now() - at).toBeLessThan(100)
  })

  test('after a piece of text', async () => {
    const { upstream, double } = await startBoth([ending(raw([delta({ content: 'x' })]), 'hang')])
    const abort = new AbortController()
    const reads = upstream.chat(request, abort.signal)[Symbol.asyncIterator]()
    expect(await reads.next()).toEqual({ done: false, value: [{ type: 'text', text: 'x' }] })
    abort.abort(gone)
    await expect(reads.next()).rejects.toBe(gone)
    expect(await double.requests[0]?.over).toBe('aborted')
  })

  test('by leaving the loop', async () => {
    const { upstream, double } = await startBoth([ending(raw([delta({ content: 'x' })]), 'hang')])
    for await (const _ of upstream.chat(request, new AbortController().signal)) break
    expect(await double.requests[0]?.over).toBe('aborted')
    expect(double.aborts).toBe(1)
  })

  test('and an aborted request is never sent', async () => {
    const { upstream, double } = await startBoth([answer()])
    expect((await listen(upstream, AbortSignal.abort(gone))).thrown).toBe(gone)
    expect(double.requests).toHaveLength(0)
  })
})

describe('time runs out', () => {
  test.each([
    ['before the first event', { firstEventMs: 30 }, silence, 'nothing arrived'],
    ['between two events', { idleMs: 30 }, ending(raw([delta({ content: 'x' })]), 'hang'), 'nothing more arrived'],
    ['over the whole', { totalMs: 30 }, ending(raw([delta({ content: 'x' })]), 'hang'), 'complete'],
  ])('%s', async (_, limits, script, words) => {
    const { upstream, double } = await startBoth([script], { timeouts: { ...timeouts, ...limits } })
    const { thrown } = await listen(upstream)
    expect(thrown).toMatchObject({ code: 'upstream_timeout', message: expect.stringContaining(words) })
    expect(await double.requests[0]?.over).toBe('aborted')
  })

  test('although comments keep coming', async () => {
    const script = { ...raw(Array<string>(5000).fill(': ping\n\n')), ending: 'hang' as const }
    const { upstream } = await startBoth([script], { timeouts: { ...timeouts, firstEventMs: 30 } })
    expect((await listen(upstream)).thrown).toMatchObject({ code: 'upstream_timeout' })
  })
})

test('an upstream is not read faster than its reader reads', async () => {
  const piece = delta({ content: 'x'.repeat(64 * 1024) })
  let sent = 0
  function* flood() {
    while (sent < 2000) {
      sent += 1
      yield piece
    }
  }
  const { upstream, double } = await startBoth([{ ...raw([]), writes: flood() }])
  const reads = upstream.chat(request, new AbortController().signal)[Symbol.asyncIterator]()
  await reads.next()
  for (let turn = 0; turn < 5000; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  // What the kernel's own buffers take is a few megabytes of these 128.
  expect(sent).toBeLessThan(500)
  await reads.next()
  await reads.return?.()
  expect(await double.requests[0]?.over).toBe('aborted')
})

describe('the list of models', () => {
  const cases: [string, readonly string[] | Script, unknown][] = [
    [
      "in OpenAI's shape",
      json({ data: [{ id: 'a', max_model_len: 4096 }, { id: 'b' }] }),
      [{ id: 'a', contextLength: 4096 }, { id: 'b' }],
    ],
    ["in Ollama's shape", json({ models: [{ name: 'a', model: 'a:latest' }] }), [{ id: 'a:latest' }]],
    ['empty', [], []],
  ]
  test.each(cases)('%s', async (_, models, expected) => {
    const { double, upstream } = await startBoth([answer()], { key: 'ours' }, models)
    expect(await upstream.models(new AbortController().signal)).toEqual(expected)
    expect(double.requests[0]).toMatchObject({
      method: 'GET',
      path: '/v1/models',
      headers: { authorization: 'Bearer ours' },
    })
  })

  test.each([
    ['a refusal', refusal(401, { error: 'Unauthorized' }), 'upstream_auth'],
    ['no JSON', raw('nothing'), 'upstream_malformed'],
    ['no list', json({ hello: 1 }), 'upstream_malformed'],
    ['an error with status 200', json({ code: 401, msg: 'Invalid API key' }), 'upstream_auth'],
  ])('%s is a failure', async (_, models, code) => {
    const { upstream } = await startBoth([answer()], {}, models)
    await expect(upstream.models(new AbortController().signal)).rejects.toMatchObject({ code })
  })
})

test('what no free question tells is unknown', async () => {
  const { upstream } = await startBoth([answer()])
  expect(await upstream.probe('double', new AbortController().signal)).toMatchObject({ nativeTools: 'unknown' })
})
