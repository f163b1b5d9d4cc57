import { expect, test } from 'vitest'
import { isNearby } from './connection.ts'

test.each([
  ['127.0.0.1', true],
  ['localhost', true],
  ['[::1]', true],
  ['[fd00::7]', true],
  ['10.1.2.3', true],
  ['172.16.0.9', true],
  ['172.32.0.9', false],
  ['192.168.178.20', true],
  ['gpu-box', true],
  ['gpu-box.local', true],
  ['host.docker.internal', true],
  ['8.8.8.8', false],
  ['[2001:db8::1]', false],
  ['api.openai.com', false],
])('%s is nearby: %s', (host, nearby) => {
  expect(isNearby(host)).toBe(nearby)
})
