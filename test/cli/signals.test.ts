import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { createFolder, outcomeOf, startDragoman, startGateway, untilSaid } from '../dragoman.ts'

/** npm takes its time to start. */
const npmMs = 30_000

const slow = 'upstreams: { r: { kind: rehearsal, tokens_per_second: 3, piece_size: 1 } }\nmodels: { slow: {} }\n'

/** A port that is free, for programs that cannot tell which one they took once their pipes are gone. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Resolves once connections there are refused. */
async function untilFree(port: number): Promise<void> {
  for (;;) {
    const refused = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('connect', () => done(false)).on('error', () => done(true))
      socket.on('connect', () => socket.destroy())
    })
    if (refused) return
  }
}

async function begun(child: ChildProcessWithoutNullStreams): Promise<number> {
  const banner = await untilSaid(child.stdout, /settings of OpenCode\n/)
  return Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(banner)?.[1])
}

/** A stream that has begun and will not end by itself. */
async function askSlowly(port: number) {
  const body = JSON.stringify({ model: 'slow', stream: true, messages: [{ role: 'user', content: 'Hello' }] })
  const client = connect(port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => undefined)
  client.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  await untilSaid(client, /data: /)
  return client
}

function startFromNpm(folder: string) {
  const { PATH } = process.env
  const child = spawn('npm', ['start', '--silent', '--', '--listen', '127.0.0.1:0', '--config', `${folder}/c.yaml`], {
    cwd: resolve('.'),
    env: { PATH, HOME: folder },
    detached: true,
  })
  // The whole group: what a failing test leaves behind is what this is about.
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All gone already.
    }
  })
  return child
}

test.each(['SIGTERM', 'SIGINT', 'SIGKILL', 'SIGHUP'] as const)(
  '%s for npm start leaves no process on the port',
  async (signal) => {
    const place = createFolder({ 'c.yaml': '' })
    onTestFinished(place.remove)
    const npm = startFromNpm(place.folder)
    const outcome = outcomeOf(npm)
    const port = await begun(npm)
    npm.kill(signal)
    await untilFree(port)
    // All pipes are closed: no process holds them any more.
    await outcome
  },
  npmMs,
)

test(
  'Ctrl+C reaches npm and the gateway, and counts once: answers under way go on',
  async () => {
    const place = createFolder({ 'c.yaml': slow })
    onTestFinished(place.remove)
    const npm = startFromNpm(place.folder)
    const port = await begun(npm)
    const client = await askSlowly(port)
    const closing = untilSaid(npm.stderr, /Shutting down/)
    process.kill(-(npm.pid ?? 0), 'SIGINT')
    await closing
    // What npm passes on may come as late as this.
    npm.kill('SIGINT')
    await untilFree(port)
    await untilSaid(client, /data: [\s\S]*data: /)
  },
  npmMs,
)

test('a shell that keeps signals to itself does not keep the gateway alive', async () => {
  const place = createFolder()
  onTestFinished(place.remove)
  // Something like npm: starts a shell, which starts the program and waits for it.
  const line = `"${process.execPath}" "${builtProgram()[1]}" --listen 127.0.0.1:0; exit $?`
  const source = `require('child_process').spawn('sh', ['-c', process.env.LINE], { stdio: 'inherit' })`
  const starter = startDragoman(['-e', source], {
    folder: place.folder,
    command: [process.execPath],
    environment: { LINE: line, npm_lifecycle_event: 'gateway' },
  })
  const outcome = outcomeOf(starter)
  const port = await begun(starter)
  starter.kill('SIGKILL')
  await untilFree(port)
  await outcome
})

test('without npm the gateway may outlive its starter', async () => {
  const place = createFolder()
  onTestFinished(place.remove)
  const source = `
    const args = [process.env.MAIN, '--listen', '127.0.0.1:0']
    const { pid } = require('child_process').spawn(process.execPath, args, { stdio: 'inherit' })
    process.stderr.write('started ' + pid + '\\n')`
  const starter = startDragoman(['-e', source], {
    folder: place.folder,
    command: [process.execPath],
    environment: { MAIN: builtProgram()[1] },
  })
  const started = untilSaid(starter.stderr, /started \d+\n/)
  const port = await begun(starter)
  const pid = Number(/started (\d+)/.exec(await started)?.[1])
  onTestFinished(() => void process.kill(pid, 'SIGKILL'))
  starter.kill('SIGKILL')
  await new Promise((done) => starter.once('exit', done))
  // Long enough for several looks at the parent, had there been any.
  const until = Date.now() + 1000
  while (Date.now() < until) expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200)
})

test.each(['stderr', 'stdout', 'both'] as const)(
  'a reader of %s that goes away does not end the gateway',
  async (which) => {
    const gateway = await startGateway({ config: 'upstreams: { r: { kind: rehearsal } }\nmodels: { one: {} }\n' })
    onTestFinished(gateway.stop)
    if (which !== 'stdout') gateway.child.stderr.destroy()
    if (which !== 'stderr') gateway.child.stdout.destroy()
    for (let nth = 0; nth < 20; nth += 1) expect((await fetch(`${gateway.origin}/livez`)).status).toBe(200)
    expect((await fetch(`${gateway.origin}/v1/nothing`)).status).toBe(404)
    expect(gateway.child.exitCode).toBeNull()
  },
)

test('a gateway whose readers have gone before it starts serves all the same', async () => {
  const place = createFolder()
  onTestFinished(place.remove)
  const port = await freePort()
  const child = startDragoman(['--listen', `127.0.0.1:${port}`], place)
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout.destroy()
  child.stderr.destroy()
  const live = (): Promise<Response> => fetch(`http://127.0.0.1:${port}/livez`).catch(live)
  await live()
  expect((await fetch(`http://127.0.0.1:${port}/v1/models`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200)
})
