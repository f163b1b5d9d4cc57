import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startStage } from '../faults/stage.ts'
import { createProbe, probed, residentPeakOf } from './probe.ts'

interface PacedPlan {
  readonly streams: number
  readonly seconds: number
}

const perSecond = 20

/** A model that says a number to every client, so many times a second, then ends. */
async function startCounter({ seconds }: PacedPlan) {
  const listeners = new Map<ServerResponse, number>()
  const last = seconds * perSecond
  const chunk = (choice: object): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`
  const server = createServer((asked, response) => {
    asked.resume().on('end', () => {
      if (asked.method !== 'POST') return response.end('{"data":[{"id":"m"}]}')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      listeners.set(response, 0)
      response.on('close', () => listeners.delete(response))
      return undefined
    })
  })
  const beat = setInterval(() => {
    for (const [response, said] of listeners) {
      if (said === last) {
        response.end(`${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
        listeners.delete(response)
      } else {
        response.write(chunk({ delta: { content: `${said} ` }, finish_reason: null }))
        listeners.set(response, said + 1)
      }
    }
  }, 1000 / perSecond)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    said: Array.from({ length: last }, (_, nth) => `${nth} `).join(''),
    close() {
      clearInterval(beat)
      server.closeAllConnections()
      server.close()
    },
  }
}

function listen(origin: string): Promise<string> {
  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Count.' }] })
  return new Promise((resolve) => {
    let [heard, open] = ['', '']
    const asked = request(
      `${origin}/v1/chat/completions`,
      { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } },
      (response) => {
        response.setEncoding('utf8').on('data', (piece: string) => {
          const events = (open + piece).split('\n\n')
          open = events.pop() ?? ''
          for (const event of events) heard += /"content":"([^"]*)"/.exec(event)?.[1] ?? ''
          if (events.includes('data: [DONE]')) heard += 'END'
        })
        response.on('close', () => resolve(heard))
      },
    )
    asked.on('error', () => resolve(heard))
    asked.end(body)
  })
}

/** Many streams at once, each slow: what is lost or out of order, and what it costs. */
export async function runPaced(plan: PacedPlan) {
  const counter = await startCounter(plan)
  const stage = await startStage(
    { upstreams: { counter: { kind: 'openai', url: counter.url } }, models: { m: {} } },
    probed,
  )
  const probe = createProbe(stage)
  try {
    const before = await probe()
    const heard = await Promise.all(Array.from({ length: plan.streams }, () => listen(stage.origin)))
    const figures = await stage.figures()
    const after = await probe()
    const delay = (quantile: string): number =>
      Math.round((figures.get(`dragoman_event_loop_delay_seconds{quantile="${quantile}"}`) ?? 0) * 1000)
    return {
      whole: heard.filter((each) => each === `${counter.said}END`).length,
      before,
      after,
      peakBytes: residentPeakOf(stage.child.pid ?? 0),
      delayMs: { p50: delay('0.5'), p99: delay('0.99'), max: delay('1') },
    }
  } finally {
    await stage.stop()
    counter.close()
  }
}
