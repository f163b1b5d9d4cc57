import { expect, test } from 'vitest'
import { isHostPattern, isOriginPattern, matchesHost, matchesOrigin } from './allow-lists.ts'

test.each<[string, string, boolean]>([
  ['host.docker.internal', 'host.docker.internal:8484', true],
  ['host.docker.internal', 'host.docker.internal', true],
  ['Host.Docker.Internal', 'host.docker.INTERNAL:1', true],
  ['host.docker.internal:8484', 'host.docker.internal:8484', true],
  ['host.docker.internal:8484', 'host.docker.internal:8485', false],
  ['host.docker.internal:8484', 'host.docker.internal', false],
  ['host.docker.internal', 'host.docker.internal.evil.example', false],
  ['host.docker.internal', 'evil.example', false],
  ['host.docker.internal', 'evil.example@host.docker.internal', false],
  ['*.lan', 'box.lan:8484', true],
  ['*.lan', 'a.box.lan', true],
  ['*.lan', 'lan', false],
  ['*.lan', '.lan', false],
  ['*.lan', 'evillan', false],
  ['192.168.0.2', '192.168.0.2:8484', true],
  ['[fd00::1]', '[fd00::1]:8484', true],
  ['[fd00::1]', '[fd00::2]', false],
  ['*', 'anything.example', true],
])('the host %s and %s: %s', (pattern, host, expected) => {
  expect(isHostPattern(pattern)).toBe(true)
  expect(matchesHost(pattern, host)).toBe(expected)
})

test.each<[string, string, boolean]>([
  ['http://localhost:3000', 'http://localhost:3000', true],
  ['http://localhost:3000/', 'http://localhost:3000', true],
  ['HTTP://LocalHost:3000', 'http://localhost:3000', true],
  ['http://localhost:3000', 'http://localhost:3001', false],
  ['http://localhost:3000', 'https://localhost:3000', false],
  ['http://localhost:3000', 'http://127.0.0.1:3000', false],
  ['http://localhost', 'http://localhost:3000', false],
  ['http://localhost:80', 'http://localhost', true],
  ['https://chat.example', 'https://chat.example:443', true],
  ['https://chat.example', 'https://chat.example.evil.example', false],
  ['https://chat.example', 'https://evilchat.example', false],
  ['http://localhost:*', 'http://localhost:5173', true],
  ['http://localhost:*', 'http://localhost', true],
  ['http://localhost:*', 'http://localhost.evil.example:80', false],
  ['https://*.example.com', 'https://a.example.com', true],
  ['https://*.example.com', 'https://example.com', false],
  ['https://*.example.com', 'https://evilexample.com', false],
  ['vscode-webview://*', 'vscode-webview://0a1b2c', true],
  ['vscode-webview://*', 'http://0a1b2c', false],
  ['chrome-extension://abcdef', 'chrome-extension://abcdef', true],
  ['app://obsidian.md', 'app://obsidian.md', true],
  ['http://localhost:3000', 'null', false],
  ['http://localhost:3000', 'http://localhost:3000, http://evil.example', false],
  ['http://localhost:3000', 'http://localhost:3000/path', false],
  ['*', 'null', true],
])('the origin %s and %s: %s', (pattern, origin, expected) => {
  expect(isOriginPattern(pattern)).toBe(true)
  expect(matchesOrigin(pattern, origin)).toBe(expected)
})

test.each(['', 'http://host', 'host/path', 'ho st', 'host:port', 'user@host', '**', '*.', '.lan', 'a,b'])(
  'the host %j is none',
  (text) => expect(isHostPattern(text)).toBe(false),
)

test.each([
  '',
  'localhost:3000',
  'http://',
  'http://*',
  'https://*',
  'http://host/path',
  'null',
  'http://u@host',
  'http://a,b',
])('the origin %j is none', (text) => expect(isOriginPattern(text)).toBe(false))
