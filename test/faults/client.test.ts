import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doors } from '../../src/doors/registry.ts'
import { adapters, type DoorAdapter } from './adapters.ts'
import { done, head, type Mode, parts, wanted, wholeAnswer } from './answer.ts'
import { type Step, startService } from './service.ts'
import { ask, clientKey, type Stage, startStage } from './stage.ts'

/** What clients do wrong, on a bare connection, at every door. */

const scripts = new Map<string, readonly Step[]>(
  (['native', 'prompt'] as const).flatMap((mode) => [
    [`good-${mode}`, [head, wholeAnswer(mode), done, 'END']],
    [`silent-${mode}`, ['HANG']],
    [`stuck-${mode}`, [head, parts[mode].intro, parts[mode].begin, parts[mode].half, 'HANG']],
    [`flood-${mode}`, [head, parts[mode].intro, { again: parts.prompt.endless, everyMs: 0 }]],
  ]),
)

let stage: Stage
let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  service = await startService(scripts)
  const models = Object.fromEntries([
    ...[...scripts.keys()].map((name) => [name, { upstream: 'service', dialect: 'hermes' }]),
    ['silent-one', { upstream: 'single', model: 'silent-native' }],
    ['good-one', { upstream: 'single', model: 'good-native' }],
  ])
  stage = await startStage({
    keys: [{ name: 'tester', key: clientKey }],
    upstreams: {
      service: { kind: 'openai', url: service.url, concurrency: 1000 },
      single: { kind: 'openai', url: service.url, concurrency: 1 },
    },
    models,
    limits: { body: '64kb', headers: '8kb', answer: '512mb' },
    timeouts: { client_headers: '2s', client_body: '3s' },
  })
}, 60_000)

afterAll(async () => {
  await stage?.stop()
  await service?.close()
})

const lanes = doors.flatMap(({ name }) => {
  const door = adapters[name]
  if (door === undefined) return []
  return [true, false].flatMap((stream) =>
    (['native', 'prompt'] as const).map((mode) => ({ name, door, stream, mode })),
  )
})
type Lane = (typeof lanes)[number]

/** The doors alone, for what goes wrong before anything is read. */
const entrances = lanes.filter(({ stream, mode }) => stream && mode === 'native')

/** 16 megabytes of nothing. */
const bomb = gzipSync(Buffer.alloc(16 << 20)).toString('latin1')

let count = 0

function headers(id: string, mode: Mode): string {
  return `Host: 127.0.0.1\r\nAuthorization: Bearer ${clientKey}\r\nX-Request-Id: ${id}\r\nX-Dragoman-Tools: ${mode}\r\nContent-Type: application/json\r\n`
}

/** Every character is a byte: so a body may be anything. */
function post(door: DoorAdapter, id: string, mode: Mode, body: string, more = ''): string {
  return `POST ${door.path} HTTP/1.1\r\n${headers(id, mode)}${more}Content-Length: ${body.length}\r\n\r\n${body}`
}

/** A connection, and all that came back on it. */
function dial(options: { readonly reads?: boolean } = {}) {
  const port = Number(new URL(stage.origin).port)
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  let isClosed = false
  socket.on('error', () => undefined)
  socket.on('close', () => (isClosed = true))
  socket.on('end', () => socket.end())
  if (options.reads !== false) socket.on('data', (piece) => (text += piece))
  return { socket, text: () => text, closed: () => isClosed }
}

const nextId = (what: string): string => `${what}.${count++}`
const contactOf = (id: string) => service.contacts.find((contact) => contact.id === id)
const until = (what: () => unknown) => expect.poll(what, { timeout: 8000, interval: 10 }).toBeTruthy()

async function begin(lane: Lane, behaviour: string): Promise<{ id: string } & ReturnType<typeof dial>> {
  const id = nextId(`${behaviour}.${lane.name}`)
  const line = dial()
  line.socket.write(
    post(lane.door, id, lane.mode, JSON.stringify(lane.door.body(`${behaviour}-${lane.mode}`, lane.stream))),
  )
  await until(() => contactOf(id))
  return { id, ...line }
}

async function expectLetGo(id: string, leftAt: number): Promise<void> {
  await until(() => contactOf(id)?.closedAt)
  expect((contactOf(id)?.closedAt ?? 0) - leftAt).toBeLessThan(1000)
  await until(() => stage.lineOf(id))
  expect(stage.lineOf(id)?.status).toBe(499)
}

describe.each(lanes)('$name, stream $stream, $mode: the model server is let go when the client', (lane) => {
  test.each([
    ['resets before the first token', 'silent', (socket: Socket) => socket.resetAndDestroy()],
    ['closes before the first token', 'silent', (socket: Socket) => socket.destroy()],
    ['only ends its side', 'silent', (socket: Socket) => socket.end()],
    ['resets inside an argument', 'stuck', (socket: Socket) => socket.resetAndDestroy()],
    ['closes inside an argument', 'stuck', (socket: Socket) => socket.destroy()],
  ])('%s', async (_, behaviour, leave) => {
    const { id, socket } = await begin(lane, behaviour)
    const leftAt = performance.now()
    leave(socket)
    await expectLetGo(id, leftAt)
  })

  test('stops reading, and later goes: nothing piles up meanwhile', async () => {
    if (!lane.stream) return
    const id = nextId('stalled')
    const { socket } = dial({ reads: false })
    socket.pause()
    socket.write(post(lane.door, id, lane.mode, JSON.stringify(lane.door.body(`flood-${lane.mode}`, true))))
    await until(() => (contactOf(id)?.sent ?? 0) > 100_000)
    let before = -1
    // It is held up when a while passes in which nothing more was taken.
    await expect
      .poll(
        () => {
          const sent = contactOf(id)?.sent ?? 0
          const isHeld = sent === before
          before = sent
          return isHeld
        },
        { timeout: 8000, interval: 250 },
      )
      .toBe(true)
    expect(contactOf(id)?.sent).toBeLessThan(64 << 20)
    const leftAt = performance.now()
    socket.destroy()
    await expectLetGo(id, leftAt)
  })
})

describe.each(entrances)('$name', ({ door, mode, stream, name }) => {
  const good = () => JSON.stringify(door.body('good-native', stream))

  async function expectGood(text: () => string): Promise<void> {
    await until(() => text().includes('HTTP/1.1 200'))
    const id = nextId(`after.${name}`)
    const got = await ask({ origin: stage.origin, door, model: 'good-native', stream, mode, id })
    expect(door.read({ ...got, stream })).toEqual({ end: 'answer', calls: [wanted] })
  }

  test.each([
    ['two Hosts', (id: string) => post(door, id, mode, good(), 'Host: evil.example\r\n'), 400],
    [
      'a whole URL in its first line',
      (id: string) => post({ ...door, path: `http://evil.example${door.path}` }, id, mode, good()),
      400,
    ],
    [
      'a Host that is not ours',
      (id: string) => post(door, id, mode, good()).replace('Host: 127.0.0.1', 'Host: evil.example'),
      403,
    ],
    [
      'an Origin that is not allowed',
      (id: string) => post(door, id, mode, good(), 'Origin: https://evil.example\r\n'),
      403,
    ],
    ['a length and chunks', (id: string) => post(door, id, mode, good(), 'Transfer-Encoding: chunked\r\n'), 400],
    ['two lengths', (id: string) => post(door, id, mode, good(), 'Content-Length: 5\r\n'), 400],
    ['a body over the limit', (id: string) => post(door, id, mode, JSON.stringify({ x: 'y'.repeat(70_000) })), 413],
    ['headers over the limit', (id: string) => post(door, id, mode, good(), `X-Much: ${'y'.repeat(9000)}\r\n`), 431],
    ['a body that is no JSON', (id: string) => post(door, id, mode, '{"model":'), 400],
    ['a body that is nested too deep', (id: string) => post(door, id, mode, '['.repeat(500) + ']'.repeat(500)), 400],
    ['a body in a coding nobody knows', (id: string) => post(door, id, mode, good(), 'Content-Encoding: br\r\n'), 415],
    [
      'a body that is not what it says',
      (id: string) => post(door, id, mode, good(), 'Content-Encoding: gzip\r\n'),
      400,
    ],
    ['a bomb', (id: string) => post(door, id, mode, bomb, 'Content-Encoding: gzip\r\n'), 413],
    ['a wrong key', (id: string) => post(door, id, mode, good()).replace(clientKey, 'sk-wrong-key-NEVER-1'), 401],
  ])('%#: refuses %s, in its own shape', async (_, bytes, status) => {
    const { socket, text } = dial()
    socket.write(bytes(nextId('refused')).replace('Content-Type', 'Connection: close\r\nContent-Type'), 'latin1')
    await until(() => /\r\n\r\n[\s\S]*\}\s*$/.test(text()))
    expect(text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const body = text().slice(text().indexOf('\r\n\r\n') + 4)
    expect(door.read({ status, text: body, stream })).toEqual({ end: 'error', calls: [] })
    expect(text()).not.toContain('NEVER')
    socket.destroy()
  })

  test.each([
    ['headers that come drop by drop', (id: string) => post(door, id, mode, good()).slice(0, 60)],
    ['a body that does not come to its end', (id: string) => post(door, id, mode, good()).slice(0, -20)],
  ])(
    '%s are waited for only so long',
    async (_, bytes) => {
      const { socket, text, closed } = dial()
      socket.write(bytes(nextId('slow')))
      await expect.poll(text, { timeout: 15_000 }).toMatch(/^HTTP\/1.1 408 /)
      await expect.poll(closed, { timeout: 5000 }).toBe(true)
    },
    25_000,
  )

  test('two requests in one go are answered one after the other', async () => {
    const { socket, text } = dial()
    const bytes = post(door, nextId('pipelined'), mode, JSON.stringify(door.body('good-native', false)))
    socket.write(bytes + bytes)
    await until(() => (text().match(/HTTP\/1.1 200/g) ?? []).length === 2)
    expect((text().match(/write_file/g) ?? []).length).toBeGreaterThanOrEqual(2)
    socket.destroy()
  })

  test.each([
    ['an expectation', 'Expect: 100-continue\r\n'],
    ['an unknown expectation', 'Expect: the-unexpected\r\n'],
    ['an upgrade', 'Connection: upgrade\r\nUpgrade: websocket\r\n'],
  ])('%s is no obstacle', async (_, more) => {
    const { socket, text } = dial()
    socket.write(post(door, nextId('odd'), mode, good(), more))
    await expectGood(text)
    socket.destroy()
  })

  test('a client that goes while it waits in line leaves its place', async () => {
    const first = dial()
    const holder = nextId('holder')
    first.socket.write(post(door, holder, mode, JSON.stringify(door.body('silent-one', stream))))
    await until(() => contactOf(holder))
    const second = dial()
    const waiter = nextId('waiter')
    second.socket.write(post(door, waiter, mode, JSON.stringify(door.body('good-one', stream))))
    await expect
      .poll(async () => (await stage.figures()).get('dragoman_queue_depth{upstream="single"}'), { timeout: 5000 })
      .toBe(1)
    second.socket.destroy()
    await until(() => stage.lineOf(waiter))
    expect(contactOf(waiter)).toBeUndefined()
    first.socket.destroy()
    await until(() => stage.lineOf(holder))
    const id = nextId('next')
    const got = await ask({ origin: stage.origin, door, model: 'good-one', stream, mode: 'native', id })
    expect(door.read({ ...got, stream })).toEqual({ end: 'answer', calls: [wanted] })
  })
})

test('nothing is left over, nobody failed, and no secret was told', async () => {
  await expect
    .poll(
      async () => {
        const figures = await stage.figures()
        return ['requests_in_flight', 'upstream_active{upstream="service"}', 'upstream_active{upstream="single"}'].map(
          (name) => figures.get(`dragoman_${name}`),
        )
      },
      { timeout: 8000 },
    )
    .toEqual([1, 0, 0])
  expect(service.contacts.filter(({ closedAt }) => closedAt === undefined)).toEqual([])
  expect(stage.child.exitCode).toBeNull()
  expect(stage.log()).not.toMatch(/NEVER|unhandled|internal_error| {4}at /i)
  console.info(`${lanes.length * 5 + lanes.length / 2 + entrances.length * 21} cells of clients`)
})
