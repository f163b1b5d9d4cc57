import { expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import { BadGeneration, type Upstream, type UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { collect, context, createScripted, fold, type Script, says, toRequest } from './scripted.ts'

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const call = '<tool_call>\n{"name": "read", "arguments": {"path": "/a"}}\n</tool_call>'
const native: Script = [
  [{ type: 'call', index: 0, id: 'a', name: 'read', json: '{"path": "/a"}' }],
  [{ type: 'finish', reason: 'tool_calls' }],
]
const text = (words: string): UpstreamEvent => ({ type: 'text', text: words })
const dead = new GatewayError('upstream_truncated', 'gone')
const refused = new GatewayError('upstream_rejected', 'does not support tools', { param: 'tools' })
const oneCall = [expect.objectContaining({ name: 'read', arguments: '{"path": "/a"}', ended: true })]

function turnsOver(upstreams: readonly Upstream[], now = () => 0) {
  let made = 0
  return createTurns({
    upstreams: new Map(upstreams.map((upstream) => [upstream.name, upstream])),
    models: [
      {
        ...defaultSettings(
          'model',
          upstreams.map(({ name }) => name),
        ),
        dialect: 'hermes',
      },
    ],
    newId: () => `call_${++made}`,
    now,
  })
}

const asking = toRequest('Go.', { tools: [read] })

test('who refused tools is asked in words, shown so, and asked natively again when the verdict has run out', async () => {
  let time = 0
  const upstream = createScripted([[refused], says(call), says(call), native], { nativeTools: 'unknown' })
  const turns = turnsOver([upstream], () => time)
  const modes: string[] = []
  const ask = async () => {
    const turn = await turns.start(asking, context)
    modes.push(turn.plan.mode)
    expect(fold(await collect(turn)).calls).toEqual(oneCall)
  }
  const shown = async () => (await turns.models(context.signal)).map(({ tools, dialect }) => [tools, dialect])
  expect(await shown()).toEqual([['auto', 'hermes']])
  await ask()
  expect(await shown()).toEqual([['prompt', 'hermes']])
  await ask()
  time += 3_600_000
  await ask()
  expect(modes).toEqual(['prompt', 'prompt', 'native'])
  expect(upstream.asked.map(({ tools }) => tools.length)).toEqual([1, 0, 0, 1])
})

test.each([
  'upstream_auth',
  'insufficient_quota',
  'rate_limit_exceeded',
  'context_length_exceeded',
  'upstream_timeout',
] as const)('nothing is learnt of tools from %s', async (code) => {
  const upstream = createScripted([[new GatewayError(code, 'no')], native], { nativeTools: 'unknown' })
  const turns = turnsOver([upstream])
  await expect(turns.start(asking, context)).rejects.toMatchObject({ code })
  expect((await turns.start(asking, context)).plan.mode).toBe('native')
})

test('a generation nobody can read is asked for again in words, this once', async () => {
  const bad = new BadGeneration('upstream_error', 'Failed to call a function.', 'Hmm.')
  const upstream = createScripted([[bad], says(call), native], { nativeTools: 'yes' })
  const turns = turnsOver([upstream])
  const turn = await turns.start(asking, context)
  expect([turn.plan.mode, fold(await collect(turn)).calls]).toEqual(['prompt', oneCall])
  expect((await turns.start(asking, context)).plan.mode).toBe('native')
})

test('an answer that is not streamed is replaced up to its end', async () => {
  const first = createScripted([[[text('Half an ')], dead]], { name: 'first' })
  const second = createScripted([says('A whole answer.')], { name: 'second' })
  const turn = await turnsOver([first, second]).start(toRequest('Go.'), { ...context, whole: true })
  expect([turn.plan.upstream, fold(await collect(turn)).text]).toEqual(['second', 'A whole answer.'])
})

test('an answer that is streamed is replaced until something of it can be seen', async () => {
  const held = createScripted([[[text('<tool_')], dead]], { name: 'held' })
  const second = createScripted([says('Hello.')], { name: 'second' })
  const turn = await turnsOver([held, second]).start(asking, context)
  expect([turn.plan.upstream, fold(await collect(turn)).text]).toEqual(['second', 'Hello.'])
  const seen = createScripted([[[text('Well, ')], dead]], { name: 'seen' })
  const begun = await turnsOver([seen, second]).start(asking, context)
  expect(begun.plan.upstream).toBe('seen')
  await expect(collect(begun)).rejects.toBe(dead)
})

test('a service that does not heed a choice is made to by other means', async () => {
  const scripted = createScripted([says('{"name": "read", "arguments": {"path": "/a"}}')])
  const upstream: Upstream = {
    ...scripted,
    probe: async () => ({ nativeTools: 'yes', heedsToolChoice: false, constraints: [{ kind: 'json-schema' }] }),
  }
  const turn = await turnsOver([upstream]).start({ ...asking, toolChoice: { mode: 'required' } }, context)
  expect([turn.plan.mode, fold(await collect(turn)).calls]).toEqual(['prompt', oneCall])
  expect(scripted.asked[0]?.constraint?.kind).toBe('json-schema')
})

test('a service that cannot make a grammar of a schema is given a plainer one, then the beginning of a call', async () => {
  const unknown = new GatewayError('upstream_rejected', 'local: JSON schema conversion failed: Invalid pattern')
  const scripted = createScripted([[unknown], [unknown], says(' {"path": "/a"}}\n</tool_call>')])
  const upstream: Upstream = {
    ...scripted,
    probe: async () => ({ nativeTools: 'no', prefill: true, constraints: [{ kind: 'json-schema' }] }),
  }
  const turn = await turnsOver([upstream]).start({ ...asking, toolChoice: { mode: 'named', name: 'read' } }, context)
  expect(fold(await collect(turn)).calls).toEqual(oneCall)
  expect(scripted.asked.map(({ constraint, prefill }) => [constraint?.kind, prefill !== undefined])).toEqual([
    ['json-schema', false],
    ['json-schema', false],
    [undefined, true],
  ])
})

test('a model whose template failed once is asked natively again a minute later', async () => {
  let time = 0
  const broken = new GatewayError('upstream_error', 'local: failed to start: the chat template is broken')
  const upstream = createScripted([[broken], [broken], says(call), says(call), native], { nativeTools: 'yes' })
  const turns = turnsOver([upstream], () => time)
  const mode = async () => (await turns.start(asking, context)).plan.mode
  expect([await mode(), await mode()]).toEqual(['prompt', 'prompt'])
  time += 60_000
  expect(await mode()).toBe('native')
})
