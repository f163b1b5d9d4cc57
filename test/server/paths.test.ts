import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, batches, type Running, run, say, scriptTurns, stop } from './scripted.ts'

let running: Running
beforeAll(async () => {
  running = await run({ turns: scriptTurns(() => batches([say('hello'), stop])) })
})
afterAll(() => running.gateway.close())

describe('a path that is not served names the one that was meant:', () => {
  test.each([
    ['POST', '/v1/chat/completion', 'POST /v1/chat/completions'],
    ['POST', '/v1/v1/chat/completions', 'POST /v1/chat/completions'],
    ['POST', '/v1/chat/completions/chat/completions', 'POST /v1/chat/completions'],
    ['POST', '/openai/v1/chat/completions', 'POST /v1/chat/completions'],
    ['POST', '/V1/Chat/Completions', 'POST /v1/chat/completions'],
    ['POST', '//v1/chat/completions', 'POST /v1/chat/completions'],
    ['POST', '/v1/chat', 'POST /v1/chat/completions'],
    ['POST', '/chat', 'POST /v1/chat/completions'],
    ['POST', '/v1/completions', 'POST /v1/chat/completions'],
    ['GET', '/v1/chat/completion', 'POST /v1/chat/completions'],
    ['POST', '/v1/v1/messages', 'POST /v1/messages'],
    ['POST', '/anthropic/v1/messages', 'POST /v1/messages'],
    ['POST', '/v1/message', 'POST /v1/messages'],
    ['POST', '/v1/count_tokens', 'POST /v1/messages/count_tokens'],
    ['POST', '/v1/response', 'POST /v1/responses'],
    ['POST', '/v1/embedding', 'POST /v1/embeddings'],
    ['GET', '/v1/model', 'GET /v1/models'],
    ['GET', '/v1/v1/models', 'GET /v1/models'],
    ['POST', '/v1/api/chat', 'POST /api/chat'],
    ['POST', '/api/chats', 'POST /api/chat'],
    ['GET', '/api/tag', 'GET /api/tags'],
    ['GET', '/metric', 'GET /metrics'],
    ['GET', '/ready', 'GET /readyz'],
  ])('%s %s', async (method, path, meant) => {
    const { status, text } = await ask(running.port, { method, path })
    expect(status).toBe(404)
    expect(text).toContain(`Nothing is served at this path. Did you mean ${meant}?`)
    expect(text.length).toBeLessThan(300)
  })

  test.each(['/foo', '/favicon.ico', '/v1/audio/speech', '/v1beta/models/m:generateContent', '/v1/nothing/'])(
    '%s is like none',
    async (path) => {
      const { status, text } = await ask(running.port, { method: 'GET', path })
      expect(status).toBe(404)
      expect(text).toContain('Nothing is served at this path. GET /openapi.json lists all there is.')
    },
  )
})

describe('health by the names others have for it', () => {
  test.each([
    ['/healthz', '/livez'],
    ['/health', '/readyz'],
  ])('%s answers like %s', async (path, like) => {
    const [one, other] = await Promise.all([
      ask(running.port, { method: 'GET', path }),
      ask(running.port, { method: 'GET', path: like }),
    ])
    expect(one).toMatchObject({ status: other.status, text: other.text })
    expect(one.status).toBe(200)
    expect((await ask(running.port, { method: 'HEAD', path })).status).toBe(200)
  })
})
