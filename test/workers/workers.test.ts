import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { untilSaid } from '../dragoman.ts'
import { until } from '../until.ts'
import { rollUnderStreams } from './rolling.ts'
import { clientKey, isAlive, startWorkers, stream } from './stage.ts'

/** Several processes behind one port. Each test starts several programs, on a machine that may have little. */
const slowMs = 60_000

async function start(...given: Parameters<typeof startWorkers>) {
  const gateway = await startWorkers(...given)
  onTestFinished(gateway.stop)
  return gateway
}

const post = (origin: string, path: string, body: object, key = clientKey) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, connection: 'close' },
    body: JSON.stringify(body),
  })

/** A model server that counts how many ask at once. */
async function startSingleFile() {
  let active = 0
  let most = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method !== 'POST') return response.end('{"data":[{"id":"single"}]}')
      active += 1
      most = Math.max(most, active)
      setTimeout(() => {
        active -= 1
        const choice = { index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }
        response.setHeader('content-type', 'text/event-stream')
        response.end(`data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\ndata: [DONE]\n\n`)
      }, 20)
      return undefined
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, most: () => most, close: () => void server.close() }
}

const hello = { model: 'slow', messages: [{ role: 'user', content: 'Hello' }] }

async function figure(origin: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${origin}/metrics`, { headers: { connection: 'close' } })).text()
  const line = text.split('\n').find((each) => each.startsWith(name))
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')))
}

test(
  'two workers are one gateway: one start screen, one set of figures, one memory',
  async () => {
    const { origin, workers, child, banner } = await start()
    expect(workers()).toHaveLength(2)
    expect(banner.match(/Dragoman \d/g)).toHaveLength(1)
    expect(banner).toContain('2 workers')
    let id: string | undefined
    for (let nth = 0; nth < 4; nth += 1) {
      const previous = id === undefined ? {} : { previous_response_id: id }
      const response = await post(origin, '/v1/responses', { model: 'slow', input: 'Hello', ...previous })
      expect(response.status).toBe(200)
      id = ((await response.json()) as { id: string }).id
    }
    expect(await figure(origin, 'dragoman_requests_total{door="responses"')).toBe(4)
    expect(await figure(origin, 'dragoman_workers')).toBe(2)
    const closing = untilSaid(child.stderr, /Shutting down/)
    child.kill('SIGTERM')
    await closing
    await until(() => child.exitCode !== null)
    expect(child.exitCode).toBe(0)
  },
  slowMs,
)

test(
  'workers that are replaced under live streams cut and refuse none',
  async () => {
    const gateway = await start()
    const counts = await rollUnderStreams(gateway, { restarts: 3, streams: 10 })
    expect(counts).toMatchObject({ cut: 0, refused: 0 })
    expect(counts.whole).toBeGreaterThanOrEqual(10)
    expect(counts.workers).toBeGreaterThanOrEqual(8)
    expect(await figure(gateway.origin, 'dragoman_requests_total{door="chat",status="200",code=""}')).toBe(counts.whole)
    expect(await figure(gateway.origin, 'dragoman_worker_restarts_total{reason="reload"}')).toBe(6)
  },
  slowMs,
)

test(
  'a worker that dies is replaced, told of, and takes nobody with it; what it had counted stays counted',
  async () => {
    const { origin, workers, child, said } = await start()
    const [first = 0, second = 0] = workers()
    expect((await post(origin, '/v1/chat/completions', hello)).status).toBe(200)
    expect((await post(origin, '/v1/chat/completions', hello)).status).toBe(200)
    expect(await figure(origin, 'dragoman_requests_total{door="chat"')).toBe(2)
    const begun = [0, 0]
    const streams = [0, 1].map((nth) =>
      stream(origin, () => {
        begun[nth] = 1
      }),
    )
    await until(() => begun.join() === '1,1')
    process.kill(first, 'SIGKILL')
    expect((await Promise.all(streams)).map(({ outcome }) => outcome).sort()).toEqual(['cut', 'whole'])
    await until(() => workers().length === 2)
    expect(workers()).toContain(second)
    expect(said()).toMatch(/Worker \d \(process \d+\) got SIGKILL\. Starting another\.\n/)
    await until(async () => (await figure(origin, 'dragoman_worker_restarts_total{reason="died"}')) === 1)
    expect(await figure(origin, 'dragoman_requests_total{door="chat",status="200"')).toBeGreaterThanOrEqual(2)
    expect(child.exitCode).toBeNull()
  },
  slowMs,
)

test(
  'a supervisor that is killed leaves nobody behind, and answers under way finish',
  async () => {
    const { origin, workers, child, outcome } = await start()
    const all = workers()
    const streaming = new Promise<void>((begun) => void stream(origin, begun).then(({ outcome }) => ends.push(outcome)))
    const ends: string[] = []
    await streaming
    child.kill('SIGKILL')
    await outcome
    await until(() => !all.some(isAlive))
    expect([all.length, ends]).toEqual([2, ['whole']])
    await expect(fetch(`${origin}/livez`)).rejects.toThrow()
  },
  slowMs,
)

test(
  'the second signal ends all at once',
  async () => {
    const { origin, workers, child, outcome } = await start()
    const all = workers()
    let ended: string | undefined
    await new Promise<void>((begun) => void stream(origin, begun).then((end) => (ended = end.outcome)))
    const closing = untilSaid(child.stderr, /waiting for 1 request to finish/)
    child.kill('SIGINT')
    await closing
    child.kill('SIGINT')
    expect((await outcome).code).toBe(130)
    await until(() => !all.some(isAlive) && ended !== undefined)
    expect(ended).toBe('cut')
  },
  slowMs,
)

test(
  'limits of keys and of model servers hold for all workers together',
  async () => {
    const keys = [
      { name: 'few', key: `${clientKey}-few`, requests_per_minute: 30 },
      { name: 'narrow', key: `${clientKey}-narrow`, parallel: 7 },
    ]
    const single = await startSingleFile()
    onTestFinished(single.close)
    const { origin } = await start({
      keys,
      upstreams: {
        quick: { kind: 'rehearsal' },
        slow: { kind: 'rehearsal', tokens_per_second: 8, piece_size: 2 },
        single: { kind: 'openai', url: single.url, concurrency: 1 },
      },
      models: { quick: { upstream: 'quick' }, slow: { upstream: 'slow' }, single: { upstream: 'single' } },
    })
    const statuses = async (count: number, model: string, key: string) => {
      const ask = async (): Promise<number> => {
        const response = await post(origin, '/v1/chat/completions', { ...hello, model }, key)
        await response.text()
        return response.status
      }
      const all = await Promise.all(Array.from({ length: count }, ask))
      return [200, 429].map((status) => all.filter((each) => each === status).length)
    }
    expect(await statuses(200, 'quick', `${clientKey}-few`)).toEqual([30, 170])
    expect(await statuses(40, 'slow', `${clientKey}-narrow`)).toEqual([7, 33])
    // Given back in full.
    expect(await statuses(7, 'quick', `${clientKey}-narrow`)).toEqual([7, 0])
    expect(await statuses(7, 'single', `${clientKey}-narrow`)).toEqual([7, 0])
    expect(single.most()).toBe(1)
  },
  slowMs,
)

test(
  'a changed configuration is taken up by all workers, a wrong one by none',
  async () => {
    const { origin, child, folder, workers } = await start()
    const before = workers()
    const names = async () => {
      const { data } = (await (await fetch(`${origin}/v1/models`, { headers: { connection: 'close' } })).json()) as {
        data: { id: string }[]
      }
      return data.map(({ id }) => id)
    }
    const refused = untilSaid(child.stderr, /the old one stays:\n.*\n/)
    writeFileSync(join(folder, 'dragoman.yaml'), 'workers: many\n')
    expect(await refused).toMatch(/workers: expected a number from 1 to 128, or auto/)
    const replaced = untilSaid(child.stderr, /Replaced all 3 workers\.\n/)
    const config = { workers: 3, upstreams: { stand: { kind: 'rehearsal' } }, models: { slow: {}, other: {} } }
    writeFileSync(join(folder, 'dragoman.yaml'), JSON.stringify(config))
    expect(await replaced).toMatch(/New configuration loaded from .*\n {2}Models: added other\.\n/)
    for (let nth = 0; nth < 6; nth += 1) expect(await names()).toContain('other')
    await until(() => workers().length === 3)
    expect(workers().some((worker) => before.includes(worker))).toBe(false)
  },
  slowMs,
)

test(
  'a worker that is asked to stop, and one that breaks, are replaced and finish what they have',
  async () => {
    // What throws outside of every handler.
    const breaks = "process.on('SIGUSR2',()=>setImmediate(()=>{throw new Error('it broke')}))"
    const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breaks)}` }
    const { origin, workers, said } = await start({}, { environment })
    const [first = 0, second = 0] = workers()
    const begun = [0, 0]
    const streams = [0, 1].map((nth) =>
      stream(origin, () => {
        begun[nth] = 1
      }),
    )
    await until(() => begun.join() === '1,1')
    process.kill(first, 'SIGTERM')
    process.kill(second, 'SIGUSR2')
    await until(() => !isAlive(first) && !isAlive(second))
    expect((await Promise.all(streams)).map(({ outcome }) => outcome)).toEqual(['whole', 'whole'])
    expect(said()).toMatch(/Worker \d \(process \d+\) was asked to stop\. Replacing it; its requests may finish\.\n/)
    expect(said()).toMatch(/"code":"internal_error","cause":"Error: it broke\\n/)
    expect(said()).toMatch(/Worker \d \(process \d+\) hit an internal error\. Replacing it/)
    expect((await stream(origin)).outcome).toBe('whole')
  },
  slowMs,
)

test(
  'a client that sends its headers too slowly is refused by workers too',
  async () => {
    const { origin } = await start({ timeouts: { client_headers: '500ms' } })
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\n')
    expect(await untilSaid(socket, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 408 /)
  },
  slowMs,
)
