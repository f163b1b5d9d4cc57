import { expect, test } from 'vitest'
import { isLoopback, printAddress, readAddress } from './address.ts'

test.each([
  ['127.0.0.1:8484', '127.0.0.1', 8484],
  ['localhost:0', 'localhost', 0],
  ['[::1]:8484', '::1', 8484],
  ['[fe80::1%eth0]:80', 'fe80::1%eth0', 80],
  ['gateway.internal:65535', 'gateway.internal', 65_535],
])('%s is read and printed back', (text, host, port) => {
  const address = readAddress(text)
  expect(address).toEqual({ host, port })
  expect(address && printAddress(address)).toBe(text)
})

test.each([
  '8484',
  ':8484',
  '::1:8484',
  '[::1]',
  '[localhost]:80',
  'host:65536',
  'host:',
  'host:http',
  'http://h:80',
  'a b:1',
  '',
])('%j is not an address', (text) => {
  expect(readAddress(text)).toBeUndefined()
})

test.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])('%s stays on this machine', (host) => {
  expect(isLoopback(host)).toBe(true)
})

test.each(['0.0.0.0', '::', '192.168.1.5', '127.example.com', 'localhost.example.com', 'gateway', '::ffff:10.0.0.1'])(
  '%s can be reached from elsewhere',
  (host) => {
    expect(isLoopback(host)).toBe(false)
  },
)

test('a name is written in small letters, as it is compared', () => {
  expect(readAddress('LocalHost:80')).toEqual({ host: 'localhost', port: 80 })
})
