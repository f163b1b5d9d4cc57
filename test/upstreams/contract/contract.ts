import { describe, expect, onTestFinished, test } from 'vitest'
import { GatewayError } from '../../../src/errors.ts'
import type { Kind, UpstreamContext } from '../../../src/upstreams/kind.ts'
import { createUpstream } from '../../../src/upstreams/registry.ts'
import type { UpstreamEvent, UpstreamRequest } from '../../../src/upstreams/upstream.ts'
import { createConfigSchema, loadConfig } from '../../config.ts'
import { cutInto, ending, raw, refusal, type Script, silence } from '../../doubles/openai-compat.ts'
import { listen, request, timeouts } from '../../doubles/openai-upstream.ts'
import { closedPort, startService } from './service.ts'
import { secret, type Wire } from './wire.ts'

/** `variant`: further fields of the config, such as a flavour. */
export interface Subject {
  readonly title: string
  readonly kind: Kind<string, object>
  readonly wire: Wire
  readonly variant?: Readonly<Record<string, unknown>>
}

const pieces = ['Grüße', ' aus 北京', ' 🎈', '!']
const tool = { kind: 'function', name: 'look', parameters: { type: 'object', properties: {} } } as const
const sample: UpstreamRequest = { ...request, owner: 'ada', clientKey: 'theirs' }

/** What holds for every upstream: a registered kind or flavour gets all of it. */
export function describeContract({ title, kind, wire, variant = {} }: Subject): void {
  const whole = raw([...wire.says(pieces), ...wire.end])
  const unfinished = raw([...wire.says(pieces)])

  /** The upstream as a config file makes it, in front of a service that plays the script. */
  function createAt(origin: string, context: Partial<UpstreamContext> = {}) {
    const file = { upstreams: { mine: { ...wire.file(origin), ...variant } } }
    const { settings } = loadConfig({
      dialects: [],
      flavours: typeof variant['flavour'] === 'string' ? [variant['flavour'], 'unknown'] : ['unknown'],
      kinds: [kind],
      surroundings: {
        environment: {},
        platform: 'linux',
        workingDirectory: '/',
        homeDirectory: '/',
        readFile: (path) => (path === '/dragoman.yaml' ? JSON.stringify(file) : undefined),
      },
    })
    const mine = settings.upstreams.get('mine')
    if (mine === undefined) throw new TypeError('no settings')
    const upstream = createUpstream('mine', mine, { timeouts, ...context }, [kind])
    onTestFinished(() => upstream.close())
    return upstream
  }

  async function start(script: Script, context: Partial<UpstreamContext> = {}) {
    const service = await startService(wire, script)
    return { service, upstream: createAt(service.origin, context) }
  }

  const textOf = (events: readonly UpstreamEvent[]) =>
    events.map((event) => (event.type === 'text' ? event.text : '')).join('')

  /** Nothing of a failure may repeat the key. */
  function expectFailure(thrown: unknown, ...codes: readonly string[]): void {
    expect(thrown).toBeInstanceOf(GatewayError)
    const { code, message } = thrown as GatewayError
    expect(codes).toContain(code)
    // A timeout does not say which service it was.
    if (code !== 'upstream_timeout') expect(message).toContain('mine')
    expect(message).not.toContain(secret)
  }

  describe(title, () => {
    test('a config file names its fields, and an unknown one is a mistake', () => {
      const schema = createConfigSchema([], ['unknown'], [kind])
      const mine = wire.file('http://127.0.0.1:9')
      expect(schema.safeParse({ upstreams: { mine } }).success).toBe(true)
      expect(schema.safeParse({ upstreams: { mine: { ...mine, never_heard_of: 1 } } }).success).toBe(false)
    })

    test('it has the name it was given, and its kind', () => {
      expect(createAt('http://127.0.0.1:9')).toMatchObject({ name: 'mine', kind: kind.kind })
    })

    test.each<{ readonly how: string; readonly size: number | 'one' }>([
      { how: 'in one piece', size: 'one' },
      { how: 'byte by byte', size: 1 },
      { how: 'in pieces of seven bytes', size: 7 },
    ])('an answer that comes $how is the same words and one finish, the last of all', async ({ size }) => {
      const { upstream, service } = await start(cutInto(whole, size))
      const { events, thrown } = await listen(upstream, undefined, sample)
      expect(thrown).toBeUndefined()
      expect(textOf(events)).toBe(pieces.join(''))
      expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1)
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
      expect(service.questions).toHaveLength(1)
      expect(service.questions[0]?.authorization).toBe(`Bearer ${secret}`)
    })

    test('words leave as they come', async () => {
      const { upstream } = await start(ending(unfinished, 'hang'))
      const abort = new AbortController()
      let heard = ''
      await expect(async () => {
        for await (const events of upstream.chat(sample, abort.signal)) {
          heard += textOf(events)
          if (heard === pieces.join('')) abort.abort(new Error('enough'))
        }
      }).rejects.toThrow('enough')
    })

    test('several answers, one after the other and side by side', async () => {
      const { upstream } = await start(whole)
      await listen(upstream, undefined, sample)
      const both = await Promise.all([listen(upstream, undefined, sample), listen(upstream, undefined, sample)])
      expect(both.map(({ events }) => textOf(events))).toEqual([pieces.join(''), pieces.join('')])
    })

    test.each([
      ['ends', unfinished],
      ['breaks off', ending(unfinished, 'drop')],
    ])('a stream that %s without a finish is a failure, and no finish is made up', async (_, script) => {
      const { upstream } = await start(script)
      const { events, thrown } = await listen(upstream, undefined, sample)
      expectFailure(thrown, 'upstream_truncated')
      expect(pieces.join('')).toContain(textOf(events))
      expect(events.filter(({ type }) => type === 'finish')).toEqual([])
    })

    test('nobody at the address', async () => {
      const { reads, thrown } = await listen(createAt(await closedPort()), undefined, sample)
      expectFailure(thrown, 'upstream_unreachable')
      expect(reads).toEqual([])
    })

    test.each<readonly [string, Script, readonly string[]]>([
      ['a wrong key', refusal(401, { error: { message: `Incorrect API key: ${secret}` } }), ['upstream_auth']],
      ['too many requests', refusal(429, { error: { message: 'Slow down' } }), ['rate_limit_exceeded']],
      ['a broken service', refusal(500, 'oops'), ['upstream_error', 'upstream_overloaded']],
      ['a service that is full', refusal(503, 'busy'), ['upstream_overloaded', 'upstream_error']],
      [
        'a page instead of an answer',
        page,
        ['upstream_malformed', 'upstream_blocked', 'upstream_truncated', 'upstream_error'],
      ],
      ['an answer of nothing', raw([]), ['upstream_truncated', 'upstream_malformed', 'upstream_error']],
      [
        'a connection that is cut at once',
        ending({ ...silence }, 'drop'),
        ['upstream_unreachable', 'upstream_truncated'],
      ],
    ])('%s is a failure before anything is said', async (_, script, codes) => {
      const { upstream } = await start(script)
      const { events, thrown } = await listen(upstream, undefined, sample)
      expectFailure(thrown, ...codes)
      expect(events.filter(({ type }) => type !== 'note')).toEqual([])
    })

    test.each([
      ['before the first byte', silence],
      ['before the first word', ending(raw([]), 'hang')],
      ['in the middle of it', ending(unfinished, 'hang')],
    ])('who no longer wants an answer has hung up: %s', async (_, script) => {
      const { upstream, service } = await start(script)
      const abort = new AbortController()
      const gone = new Error('gone')
      const heard = listen(upstream, abort.signal, sample)
      const { over } = await service.asked()
      abort.abort(gone)
      expect((await heard).thrown).toBe(gone)
      expect(await over).toBe('left')
    })

    test('who has left before asking asks nothing', async () => {
      const { upstream, service } = await start(whole)
      const { thrown } = await listen(upstream, AbortSignal.abort(new Error('gone')), sample)
      expect(thrown).toMatchObject({ message: 'gone' })
      expect(service.questions).toEqual([])
    })

    test('who stops reading has hung up', async () => {
      const { upstream, service } = await start(ending(unfinished, 'hang'))
      for await (const _ of upstream.chat(sample, new AbortController().signal)) break
      expect(await (await service.asked()).over).toBe('left')
    })

    test.each([
      ['the first words', { firstEventMs: 20 }, silence],
      ['the next words', { idleMs: 20 }, ending(unfinished, 'hang')],
      ['the end', { totalMs: 60 }, ending(unfinished, 'hang')],
    ])('%s: waited for so long and no longer', async (_, limit, script) => {
      const { upstream, service } = await start(script, { timeouts: { ...timeouts, ...limit } })
      const { thrown } = await listen(upstream, undefined, sample)
      expectFailure(thrown, 'upstream_timeout')
      // On a busy machine the time may be up before the question has come.
      for (const { over } of service.questions) expect(await over).toBe('left')
    })

    test('an answer that says too much is cut off', async () => {
      const { upstream } = await start(
        raw([...wire.says(Array.from({ length: 50 }, (_, line) => `${line} `.repeat(40)))]),
        {
          limits: { answerBytes: 1000 },
        },
      )
      expectFailure((await listen(upstream, undefined, sample)).thrown, 'answer_too_large')
    })

    test('native calls come in pieces, or tools are refused in words', async () => {
      const { calls } = wire
      const { upstream } = await start(raw([...(calls?.('look', ['{"a":', '1}']) ?? wire.says(['x'])), ...wire.end]))
      const { events, thrown } = await listen(upstream, undefined, { ...sample, tools: [tool] })
      if (calls === undefined) {
        expect(upstream.toolsInWords).toBe(true)
        expect(thrown).toMatchObject({ code: 'unsupported_parameter', param: 'tools' })
        return
      }
      expect(thrown).toBeUndefined()
      const told = events.flatMap((event) => (event.type === 'call' ? [event] : []))
      expect(told.find(({ name }) => name !== undefined)?.name).toBe('look')
      expect(told.map(({ json = '' }) => json).join('')).toBe('{"a":1}')
    })

    test('its list of models is a list or a failure; what it can do is known without asking anybody in vain', async () => {
      const { upstream } = await start(whole)
      const signal = AbortSignal.timeout(5_000)
      const models: unknown = await upstream.models(signal).catch((error: unknown) => error)
      if (!Array.isArray(models)) expect(models).toBeInstanceOf(GatewayError)
      expect(['yes', 'no', 'unknown']).toContain((await upstream.probe('m', signal)).nativeTools)
    })

    test('it can be closed twice', async () => {
      const upstream = createAt('http://127.0.0.1:9')
      await upstream.close()
      await upstream.close()
    })
  })
}

const page: Script = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  writes: ['<!doctype html><title>Welcome</title><p>Log in first'],
  ending: 'end',
}
