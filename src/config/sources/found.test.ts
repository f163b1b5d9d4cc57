import { expect, test } from 'vitest'
import { readDiscover, readNamedElsewhere, readOllamaHost, servingModel } from './found.ts'
import type { Surroundings } from './surroundings.ts'

test.each<[string, string | undefined]>([
  ['', undefined],
  ['127.0.0.1', 'http://127.0.0.1:11434/v1'],
  ['127.0.0.1:9999', 'http://127.0.0.1:9999/v1'],
  [':9999', 'http://127.0.0.1:9999/v1'],
  ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
  ['0.0.0.0:9999', 'http://127.0.0.1:9999/v1'],
  ['[::]:9999', 'http://[::1]:9999/v1'],
  ['gpu-box', 'http://gpu-box:11434/v1'],
  ['http://gpu-box', 'http://gpu-box:80/v1'],
  ['https://gpu-box/', 'https://gpu-box:443/v1'],
  ['http://gpu-box:8080/', 'http://gpu-box:8080/v1'],
])('OLLAMA_HOST=%s is asked at %s', (text, url) => {
  expect(readOllamaHost(text)).toBe(url)
})

test.each<[string, ReturnType<typeof readDiscover>]>([
  ['on', 'on'],
  ['OFF', 'off'],
  ['8000, 8080', [8000, 8080]],
  ['0', undefined],
  ['70000', undefined],
  ['maybe', undefined],
])('--discover %s', (value, read) => {
  expect(readDiscover(value)).toEqual(read)
})

const surroundings = (environment: Surroundings['environment']): Surroundings => ({
  environment,
  workingDirectory: '/',
  homeDirectory: '/',
  platform: 'linux',
  readFile: () => undefined,
})

test.each([
  ['a base URL alone', { OPENAI_BASE_URL: 'http://box:8000' }, { name: 'default', url: 'http://box:8000/v1' }],
  [
    'a base URL with a key',
    { OPENAI_BASE_URL: 'https://api.example.com/v1', OPENAI_API_KEY: 'sk-x' },
    { name: 'default', url: 'https://api.example.com/v1', key: 'env:OPENAI_API_KEY' },
  ],
  ['a key alone, which is for a service that is not named', { OPENAI_API_KEY: 'sk-x' }, undefined],
  ['no address at all', { OPENAI_BASE_URL: 'ftp://x' }, undefined],
])('%s', (_, environment, openai) => {
  expect(readNamedElsewhere(surroundings(environment)).openai).toEqual(openai)
})

test('a model is asked of those that list it, else of all', () => {
  const found = [
    { name: 'one', url: 'http://a', models: ['x'] },
    { name: 'two', url: 'http://b', models: ['x', 'y'] },
  ]
  expect(servingModel(found, 'y')).toEqual(['two'])
  expect(servingModel(found, 'x')).toEqual(['one', 'two'])
  expect(servingModel(found, 'z')).toEqual(['one', 'two'])
})
