import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createGuard } from './guard.ts'

/** Over a socket in test/server/browser.test.ts; here the addresses a machine need not have. */
test.each([
  ['::1', '[::1]:8484', true],
  ['::1', 'localhost:8484', true],
  ['::1', '[::2]:8484', false],
  ['127.0.0.5', '127.0.0.5:8484', true],
  ['127.0.0.5', '127.0.0.6:8484', false],
  ['fd00::5', 'anything.example', true],
])('listening on %s, the host %s is ours: %s', (host, given, expected) => {
  const guard = createGuard({ host, allowed: { hosts: [], origins: [] } })
  const request = { rawHeaders: ['Host', given], headers: { host: given }, url: '/', method: 'GET' } as IncomingMessage
  if (expected) expect(guard(request)).toEqual({ isLink: false })
  else expect(() => guard(request)).toThrow(given)
})
