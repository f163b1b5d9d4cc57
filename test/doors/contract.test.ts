import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Door } from '../../src/doors/door.ts'
import { doors } from '../../src/doors/registry.ts'
import { type FailureCode, GatewayError } from '../../src/errors.ts'
import { createKeyring } from '../../src/server/access/auth.ts'
import { type Asked, ask, batches, type Reply, type Running, run, say, scriptTurns, stop } from '../server/scripted.ts'

/** What holds for every door: a registered one gets all of it. */

/** An error's form: its keys, without what they hold. */
function formOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '…'
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, formOf(inner)]),
  )
}

function expectError(door: Door, reply: Reply, status: number, code: FailureCode): void {
  const printed = door.printError(new GatewayError(code, 'x'), 'req_1')
  expect([reply.status, formOf(reply.json)]).toEqual([status, formOf(JSON.parse(printed.body))])
}

test('no two doors have one name, and none has no routes', () => {
  expect(new Set(doors.map(({ name }) => name)).size).toBe(doors.length)
  expect(doors.filter(({ routes }) => routes.length === 0)).toEqual([])
})

test('where doors share a path, all but one say whom they want', () => {
  const open = doors.flatMap(({ routes }) =>
    routes.flatMap(({ method, path, wants }) => (wants === undefined ? [`${method} ${path}`] : [])),
  )
  expect(open.length).toBe(new Set(open).size)
})

describe.each(doors)('the door "$name"', (door) => {
  const read = door.routes.flatMap((route) => ('read' in route ? [route.path] : []))
  let open: Running
  let locked: Running

  beforeAll(async () => {
    const turns = scriptTurns(() => batches([say('Hi'), stop]))
    open = await run({ turns, limits: { bodyBytes: 4096, tools: 4 } })
    locked = await run({ turns, keyring: createKeyring(['k']) })
  })

  afterAll(async () => {
    await open.gateway.close()
    await locked.gateway.close()
  })

  test('asks models somewhere', () => {
    expect(read.length).toBeGreaterThan(0)
  })

  describe.each(read)('%s', (path) => {
    const post = (asked: Asked, running = open) => ask(running.port, { path, ...asked })

    test('what is no JSON is refused in its words', async () => {
      expectError(door, await post({ body: '{"model": ' }), 400, 'invalid_json')
    })

    test.each(['null', '[]', '"x"', '1', '{}', '{"model": 7}', '{"model": "m", "messages": "x", "input": 7}'])(
      '%s is refused in its words, and never our own fault',
      async (body) => {
        const reply = await post({ body })
        expect([400, 404, 200]).toContain(reply.status)
        if (reply.status !== 200) expectError(door, reply, reply.status, 'invalid_type')
      },
    )

    test('a body that is too large is refused in its words', async () => {
      expectError(door, await post({ body: JSON.stringify({ x: 'x'.repeat(5000) }) }), 413, 'body_too_large')
    })

    test('a body that is no JSON by its type is refused to browsers, in its words', async () => {
      const reply = await post({ headers: { 'content-type': 'text/plain', 'sec-fetch-mode': 'cors' }, body: '{}' })
      expectError(door, reply, 415, 'unsupported_media_type')
    })

    test.each(['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', ''])(
      'a program may send its JSON as %j',
      async (type) => {
        const reply = await post({ headers: { 'content-type': type }, body: '{"model": ' })
        expectError(door, reply, 400, 'invalid_json')
        expect(reply.text).toMatch(/Line 1, column 11: expected a value, found the end of the text\./)
      },
    )

    test('another method is refused in its words, with those there are', async () => {
      const reply = await post({ method: 'PUT', body: '{}' })
      expectError(door, reply, 405, 'method_not_allowed')
      expect(reply.headers.allow).toContain('POST')
    })

    test('who has no key is refused in its words', async () => {
      expectError(door, await post({ body: '{}' }, locked), 401, 'invalid_api_key')
    })

    test('what is beside it is refused in its words', async () => {
      expectError(door, await post({ path: `${path}/nothing/here`, body: '{}' }), 404, 'not_found')
    })
  })
})
