import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../errors.ts'
import type { Upstream, UpstreamModel } from '../../upstreams/upstream.ts'
import { createCatalog, modelNotFound } from './catalog.ts'

function scripted(name: string, models: () => Promise<readonly UpstreamModel[]>): Upstream {
  return {
    name,
    kind: 'scripted',
    async *chat() {
      yield []
    },
    models,
    probe: async () => ({ nativeTools: 'unknown' }),
    close: async () => undefined,
  }
}

const never = new AbortController().signal

describe('the catalog', () => {
  test('asks once for all who wait, and again only when the list is old', async () => {
    let asked = 0
    let time = 0
    const upstream = scripted('local', async () => [{ id: `model-${++asked}` }])
    const catalog = createCatalog(new Map([['local', upstream]]), () => time)
    await Promise.all([catalog.listings(never), catalog.listings(never)])
    time = 29_999
    expect(await catalog.listings(never)).toEqual([{ upstream: 'local', models: [{ id: 'model-1' }] }])
    time = 30_000
    expect(await catalog.listings(never)).toEqual([{ upstream: 'local', models: [{ id: 'model-2' }] }])
  })

  test('keeps the last list of a service that went away', async () => {
    let away = false
    let time = 0
    const upstream = scripted('local', async () => {
      if (away) throw new Error('gone')
      return [{ id: 'a' }]
    })
    const catalog = createCatalog(new Map([['local', upstream]]), () => time)
    await catalog.listings(never)
    away = true
    time = 60_000
    const trouble = new Error('gone')
    expect(await catalog.listings(never)).toEqual([{ upstream: 'local', models: [{ id: 'a' }], trouble }])
  })

  test('asks a service in trouble again after five seconds, behind the backs of those who have a list', async () => {
    let time = 0
    let asked = 0
    const upstream = scripted('local', async () => {
      asked += 1
      if (asked === 2) throw new Error('gone')
      return [{ id: 'a' }]
    })
    const catalog = createCatalog(new Map([['local', upstream]]), () => time)
    await catalog.listings(never)
    time = 30_000
    await catalog.listings(never)
    time = 34_999
    expect(await catalog.listings(never)).toMatchObject([{ trouble: { message: 'gone' } }])
    time = 35_000
    // The one who comes now is told what is known, and does not wait for the answer.
    expect(await catalog.listings(never)).toMatchObject([{ models: [{ id: 'a' }], trouble: { message: 'gone' } }])
    await Promise.resolve()
    expect(await catalog.listings(never)).toEqual([{ upstream: 'local', models: [{ id: 'a' }] }])
  })

  test.each([
    { checkEveryMs: 10_000, at: 9_999, times: 1 },
    { checkEveryMs: 10_000, at: 10_000, times: 2 },
    { checkEveryMs: undefined, at: 1e9, times: 1 },
  ])('looks after a service that may be asked every $checkEveryMs ms: $times times in $at ms', async (row) => {
    let time = 1
    let asked = 0
    const local = scripted('local', async () => [{ id: `${++asked}` }])
    const upstream = row.checkEveryMs === undefined ? local : { ...local, checkEveryMs: row.checkEveryMs }
    const catalog = createCatalog(new Map([['local', upstream]]), () => time)
    await catalog.listings(never, { whom: 'due' })
    time += row.at
    await catalog.listings(never, { whom: 'due' })
    expect(asked).toBe(row.times)
  })

  test('a request that failed makes it time to look, one that went well ends the trouble', async () => {
    const failure = new GatewayError('upstream_unreachable', 'gone')
    let asked = 0
    const local = scripted('local', async () => {
      asked += 1
      throw failure
    })
    const catalog = createCatalog(new Map([['local', { ...local, checkEveryMs: 10_000 }]]), () => 20_000)
    const look = () => catalog.listings(never, { whom: 'due' })
    await look()
    await look()
    expect(asked).toBe(1)
    catalog.report('local', failure)
    expect(await look()).toEqual([{ upstream: 'local', models: [], failure, trouble: failure }])
    expect(asked).toBe(2)
    catalog.report('local')
    expect(await look()).toEqual([{ upstream: 'local', models: [] }])
  })

  test('a service that must not be asked unasked is judged by the requests it gets', async () => {
    const failure = new GatewayError('upstream_unreachable', 'gone')
    const catalog = createCatalog(new Map([['chat', scripted('chat', async () => [])]]), () => 0)
    await catalog.listings(never, { whom: 'due' })
    catalog.report('chat', failure)
    expect(await catalog.listings(never, { whom: 'due' })).toMatchObject([{ trouble: failure }])
    catalog.report('chat')
    expect(await catalog.listings(never, { whom: 'due' })).toEqual([{ upstream: 'chat', models: [] }])
  })

  test('a service that takes its time is pending, and the others are told', async () => {
    const upstreams = new Map([
      ['slow', scripted('slow', () => new Promise(() => undefined))],
      ['local', scripted('local', async () => [{ id: 'a' }])],
    ])
    const patience = new AbortController()
    const listings = createCatalog(upstreams, () => 0).listings(never, { patience: patience.signal })
    await Promise.resolve()
    patience.abort()
    expect(await listings).toEqual([
      { upstream: 'slow', models: [], pending: true },
      { upstream: 'local', models: [{ id: 'a' }] },
    ])
  })

  test('tells of a service that never gave a list, and lists the others', async () => {
    const failure = new Error('gone')
    const upstreams = new Map([
      ['dead', scripted('dead', () => Promise.reject(failure))],
      ['local', scripted('local', async () => [{ id: 'a' }])],
    ])
    expect(await createCatalog(upstreams, () => 0).listings(never)).toEqual([
      { upstream: 'dead', models: [], failure, trouble: failure },
      { upstream: 'local', models: [{ id: 'a' }] },
    ])
  })

  test('a client who leaves does not wait', async () => {
    const upstream = scripted('slow', () => new Promise(() => undefined))
    const catalog = createCatalog(new Map([['slow', upstream]]), () => 0)
    const leaving = new AbortController()
    const waiting = catalog.listings(leaving.signal)
    leaving.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
  })
})

const names = ['qwen3-coder', 'Qwen/Qwen3-Coder-30B', 'gpt-oss-20b', 'rehearsal']

describe('a model that is not served', () => {
  test.each([
    ['qwen3-codr', "The model 'qwen3-codr' does not exist. Did you mean 'qwen3-coder'?"],
    ['gpt-oss', "The model 'gpt-oss' does not exist. Did you mean 'gpt-oss-20b'?"],
    ['QWEN3-CODER', "The model 'QWEN3-CODER' does not exist. Did you mean 'qwen3-coder', 'Qwen/Qwen3-Coder-30B'?"],
    ['zzz', "The model 'zzz' does not exist. GET /v1/models lists the models served here."],
  ])('%s is refused with the nearest names', (name, message) => {
    const error = modelNotFound(name, names)
    expect(error.message).toBe(message)
    expect([error.status, error.code, error.param]).toEqual([404, 'model_not_found', 'model'])
  })
})
