import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type BannerFacts, printBanner, printCurl } from './banner.ts'

const facts: BannerFacts = {
  version: '1.2.3',
  program: 'dragoman',
  origin: 'http://127.0.0.1:8484',
  models: [{ id: 'rehearsal', mode: 'tools found out (auto)' }],
  configPath: undefined,
  rehearsing: true,
  key: undefined,
}
const plain = (_: string, text: string) => text
const print = (changes: Partial<BannerFacts> = {}) => printBanner({ ...facts, ...changes }, plain)

test('the banner says where, what, and that the stand-in is one', () => {
  const banner = print()
  expect(banner).toContain('Dragoman 1.2.3  http://127.0.0.1:8484/v1')
  expect(banner).toContain('models  rehearsal  tools found out (auto)')
  expect(banner).toContain('rehearsal is a stand-in, not a language model')
  expect(banner).toContain('Base URL http://127.0.0.1:8484/v1, API Key anything, Model ID rehearsal')
  expect(banner).toContain('opencode.json')
  expect(banner).toContain('  dragoman --upstream http')
  expect(banner.split('\n').length).toBeLessThan(34)
})

test('what is to be copied fits a narrow terminal', () => {
  const lines = printCurl('http://127.0.0.1:8484/v1', 'rehearsal', '$DRAGOMAN_KEY').split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})

test('a real model is not called a stand-in, and keys are asked for', () => {
  const banner = print({ rehearsing: false, key: '$DRAGOMAN_KEY', configPath: '/etc/dragoman.yaml' })
  expect(banner).not.toContain('stand-in')
  expect(banner).toContain('configured by /etc/dragoman.yaml')
  expect(banner).toContain('Authorization: Bearer $DRAGOMAN_KEY')
  expect(banner).toContain('API Key one of your keys')
})

test('many models are counted, none are explained', () => {
  const many = Array.from({ length: 11 }, (_, index) => ({ id: `m${index}`, mode: 'native tools' }))
  expect(print({ models: many })).toContain('and 3 more at /v1/models')
  expect(print({ models: [] })).toContain('whatever the upstream lists')
})

test.each([
  ["it's", undefined],
  ['a "b" $c `d` \\e', 'k'],
  ['Qwen/Qwen3', undefined],
])('the curl for the model %j survives the shell', (model, key) => {
  const script = `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }\n${printCurl('http://h/v1', model, key)}`
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
  expect(words.slice(0, 4)).toEqual(['-sS', 'http://h/v1/chat/completions', '-H', 'Content-Type: application/json'])
  expect(words.includes('Authorization: Bearer k')).toBe(key === 'k')
  const body = JSON.parse(words.at(-1) ?? '')
  expect(body.model).toBe(model)
  expect(body.tools[0].function.name).toBe('read_file')
})
