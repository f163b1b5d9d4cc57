import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { startGateway } from '../dragoman.ts'

export const clientKey = 'sk-workers-0123456789'

/** Slow enough to be met in the middle, quick enough to wait for. */
const upstreams = { stand: { kind: 'rehearsal', tokens_per_second: 25, piece_size: 2 } }

/** The built or the plain program with two workers, unless the configuration says otherwise. */
export async function startWorkers(
  config: object = {},
  start: Omit<Parameters<typeof startGateway>[0], 'config'> = {},
) {
  const gateway = await startGateway({ ...start, config: { workers: 2, upstreams, models: { slow: {} }, ...config } })
  let said = ''
  gateway.child.stderr.on('data', (piece: string) => {
    said += piece
  })
  return { ...gateway, said: () => said, workers: () => childrenOf(gateway.child.pid ?? 0) }
}

/** The processes a process has started and that still run. */
function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export interface Streamed {
  readonly outcome: 'whole' | 'cut' | 'refused'
  readonly status?: number
  readonly text: string
}

/** One streamed answer on a connection of its own; `onBegun` once its first words are there. */
export function stream(origin: string, onBegun: () => void = () => undefined, key?: string): Promise<Streamed> {
  const body = JSON.stringify({ model: 'slow', stream: true, messages: [{ role: 'user', content: 'Hello' }] })
  return new Promise((done) => {
    let text = ''
    let status: number | undefined
    const end = (outcome: Streamed['outcome']) => done({ outcome, text, ...(status !== undefined && { status }) })
    const asking = request(
      `${origin}/v1/chat/completions`,
      {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      },
      (response) => {
        status = response.statusCode
        if (status !== 200) {
          response.resume()
          return end('refused')
        }
        response.setEncoding('utf8').on('data', (piece: string) => {
          if (text === '') onBegun()
          text += piece
        })
        response.on('error', () => end('cut'))
        response.on('close', () => end(text.endsWith('data: [DONE]\n\n') && text.includes('"stop"') ? 'whole' : 'cut'))
      },
    )
    asking.on('error', () => end('refused'))
    asking.end(body)
  })
}
