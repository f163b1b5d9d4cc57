import { type ChildProcess, spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { untilSaid } from '../dragoman.ts'

/** A real Redis on a port of its own that keeps nothing on disk. It can die and come back. */
export async function startRedis() {
  const port = await freePort()
  let child = await start(port)
  return {
    url: `redis://127.0.0.1:${port}`,
    die: () => end(child),
    async comeBack() {
      child = await start(port)
    },
  }
}

async function start(port: number): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] })
  await untilSaid(child.stdout, /Ready to accept connections/)
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
