import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Info, Page } from '../../src/traces/api.ts'
import type { Exchange } from '../../src/traces/exchange.ts'
import { startGateway } from '../dragoman.ts'

/** The real program: what it prints, whom it lets in, what it keeps. Each starts a process or two. */
const slowMs = 60_000
const key = 'client-key-0123456789'

async function start(...given: Parameters<typeof startGateway>) {
  const gateway = await startGateway(...given)
  onTestFinished(gateway.stop)
  const { banner, origin } = gateway
  const address = /Inspector: (\S+)/.exec(banner)?.[1]
  let cookie = ''
  /** What a browser does that is sent on with a cookie, on a connection of its own. */
  async function get(path: string): Promise<Response> {
    const response = await fetch(`${origin}${path}`, { headers: { cookie, connection: 'close' }, redirect: 'manual' })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return response
  }
  const ask = () =>
    fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, connection: 'close' },
      body: JSON.stringify({ model: 'rehearsal', messages: [{ role: 'user', content: 'Hello there' }] }),
    }).then((response) => response.text())
  return { ...gateway, address, get, ask }
}

test(
  'on this machine it prints its address and is open; --no-inspector does without it',
  async () => {
    const { address, origin, get, ask } = await start()
    expect(address).toBe(`${origin}/inspector/`)
    await ask()
    const { exchanges } = (await (await get('/inspector/api/exchanges')).json()) as Page
    expect(exchanges).toMatchObject([{ gist: 'Hello there', state: 'done' }])
    const without = await start({ args: ['--no-inspector'] })
    expect(without.address).toBeUndefined()
    expect((await without.get('/inspector/api/exchanges')).status).toBe(404)
  },
  slowMs,
)

test(
  'for others it prints a token, keeps nothing that is said, and a file outlives a restart',
  async () => {
    const config = { keys: [key], traces: { store: 'sqlite', file: 'traces.db', bodies: false } }
    const first = await start({ config })
    const { address = '', origin, get, ask, folder } = first
    expect(address).toMatch(/\/inspector\?token=[\w-]{32}$/)
    expect((await get('/inspector/api/exchanges')).status).toBe(401)
    expect((await get(address.slice(origin.length))).status).toBe(303)
    await ask()
    const { exchanges } = (await (await get('/inspector/api/exchanges')).json()) as Page
    const found = (await (await get(`/inspector/api/exchanges/${exchanges[0]?.id}`)).json()) as Exchange
    expect(found).toMatchObject({ hasBodies: false, state: 'done', keyName: 'key-1' })
    expect(JSON.stringify(found)).not.toMatch(/Hello|client-key/)
    first.child.kill('SIGTERM')
    await first.outcome.catch(() => undefined)
    const again = await start({ config: { ...config, traces: { store: 'sqlite', file: join(folder, 'traces.db') } } })
    await again.get(again.address?.slice(again.origin.length) ?? '')
    expect((await (await again.get('/inspector/api/exchanges')).json()) as Page).toMatchObject({ total: 1 })
  },
  slowMs,
)

test(
  'several workers show the same, to whoever has the one token, and leave nothing behind',
  async () => {
    const { address = '', origin, get, ask, child, outcome } = await start({ config: { keys: [key], workers: 2 } })
    expect((await get(address.slice(origin.length))).status).toBe(303)
    for (let nth = 0; nth < 4; nth++) await ask()
    const seen = async () => ((await (await get('/inspector/api/exchanges')).json()) as Page).total
    // Each writes what it has within a moment, or when it is asked.
    let totals = [0]
    while (totals.some((total) => total < 4)) totals = await Promise.all([seen(), seen(), seen(), seen()])
    expect(totals).toEqual([4, 4, 4, 4])
    const info = (await (await get('/inspector/api/info')).json()) as Info
    expect(info).toMatchObject({ needsKey: true, recording: { bodies: true } })
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`dragoman-traces-${child.pid}-`))
    expect(folders()).toHaveLength(1)
    child.kill('SIGTERM')
    await outcome
    expect(folders()).toEqual([])
  },
  slowMs,
)

test(
  'a file that cannot be used is a problem of the configuration',
  async () => {
    const config = { traces: { store: 'sqlite', file: '/dev/null/traces.db' } }
    await expect(start({ config })).rejects.toThrow(/traces\.file.*cannot be used.*traces: memory/s)
  },
  slowMs,
)
