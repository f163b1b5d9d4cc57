import { request } from 'node:http'
import { builtProgram } from '../built.ts'
import { startGateway } from '../dragoman.ts'
import type { DoorAdapter } from './adapters.ts'
import type { Mode } from './answer.ts'

export interface Got {
  readonly status: number
  readonly text: string
  readonly endedAt: number
  readonly ms: number
  /** The connection broke instead of ending. */
  readonly broke: boolean
}

export const clientKey = 'sk-client-NEVER-to-be-logged-9876543210'

interface Lane {
  readonly origin: string
  readonly door: DoorAdapter
  readonly model: string
  readonly stream: boolean
  readonly mode: Mode
  readonly id: string
}

/** One request to its end, whatever that is. */
export function ask({ origin, door, model, stream, mode, id }: Lane): Promise<Got> {
  const begun = performance.now()
  return new Promise((resolve) => {
    let text = ''
    let status = 0
    const finish = (broke: boolean): void => {
      const endedAt = performance.now()
      resolve({ status, text, endedAt, ms: endedAt - begun, broke })
    }
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${clientKey}`,
      'x-request-id': id,
      'x-dragoman-tools': mode,
    }
    const sent = request(`${origin}${door.path}`, { method: 'POST', headers, agent: false }, (response) => {
      status = response.statusCode ?? 0
      response.setEncoding('utf8')
      response.on('data', (piece: string) => (text += piece))
      response.on('end', () => finish(false))
      response.on('error', () => finish(true))
    })
    sent.on('error', () => finish(true))
    sent.end(JSON.stringify(door.body(model, stream)))
  })
}

/** Runs so many at a time. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++
      results[at] = await run(items[at] as Item)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

interface LogLine {
  readonly requestId?: string
  readonly status?: number
  readonly code?: string
  readonly cause?: string
}

/** The gateway as the package has it, and what it writes. */
export async function startStage(config: object, start: Omit<Parameters<typeof startGateway>[0], 'config'> = {}) {
  const gateway = await startGateway({ command: builtProgram(), ...start, config })
  let log = ''
  gateway.child.stderr.on('data', (piece: Buffer) => (log += piece.toString()))
  const lines = (): readonly LogLine[] =>
    log
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as LogLine]
        } catch {
          // It is still being written.
          return []
        }
      })
  return {
    ...gateway,
    log: () => log,
    lineOf: (id: string) => lines().find(({ requestId }) => requestId === id),
    async figures(): Promise<ReadonlyMap<string, number>> {
      const headers = { authorization: `Bearer ${clientKey}` }
      const text = await (await fetch(`${gateway.origin}/metrics`, { headers })).text()
      const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      return new Map(
        rows.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
      )
    },
  }
}

export type Stage = Awaited<ReturnType<typeof startStage>>
