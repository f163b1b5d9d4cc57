import { expect, test } from 'vitest'
import { loadConfig } from '../../test/config.ts'
import { hashKey, toExpiry } from './keys.ts'
import { ConfigError } from './problems.ts'

function load(file: string, environment: Record<string, string> = {}) {
  return loadConfig({
    dialects: [],
    surroundings: {
      environment,
      platform: 'linux',
      workingDirectory: '/w',
      homeDirectory: '/h',
      readFile: (path) => (path === '/w/dragoman.yaml' ? file : undefined),
    },
  })
}

const hash = `sha256:${hashKey('secret')}`

test('a key can be a text, a variable, or an object with what its owner may do', () => {
  const file = `keys:
  - plain
  - env:ALICE
  - { name: bob, hash: "${hash.toUpperCase().replace('SHA', 'sha')}", requests_per_minute: 60, tokens_per_minute: 1000, parallel: 2, models: [qwen*], expires: 2027-01-31 }
  - { key: env:CAROL }
`
  const { settings, shown } = load(file, { ALICE: 'a', CAROL: 'c' })
  expect(settings.keys).toEqual([
    { name: 'key-1', key: 'plain', hash: hashKey('plain') },
    { name: 'ALICE', key: 'a', hash: hashKey('a') },
    {
      name: 'bob',
      hash: hashKey('secret'),
      requestsPerMinute: 60,
      tokensPerMinute: 1000,
      parallel: 2,
      models: ['qwen*'],
      expiresAt: Date.parse('2027-02-01T00:00:00Z'),
    },
    { name: 'CAROL', key: 'c', hash: hashKey('c') },
  ])
  expect(shown.keys[0]).toBe('***')
  expect(shown.keys[2]).toMatchObject({ name: 'bob', hash: '***', models: ['qwen*'] })
  expect(shown.keys[3]).toMatchObject({ key: 'env:CAROL' })
})

test.each([
  ['keys: [{ nam: x, key: y }]', 'keys[0].nam: unknown key "nam". Did you mean "name"?'],
  ['keys: [{ name: x }]', 'keys[0]: needs either `key` or `hash`. Run `dragoman keys new` to make one'],
  [`keys: [{ key: y, hash: "${hash}" }]`, 'keys[0]: has both `key` and `hash`. Leave one out'],
  ['keys: [{ hash: sha256:12 }]', 'keys[0].hash: expected sha256: and 64 hexadecimal digits'],
  ['keys: [{ key: y, parallel: 0 }]', 'keys[0].parallel: expected a whole number from 1 to 100000; found 0'],
  ['keys: [{ key: y, expires: soon }]', 'keys[0].expires: expected a date such as 2027-01-31'],
  ['keys: [{ key: y, expires: 2027-02-30 }]', 'keys[0].expires: expected a date such as 2027-01-31'],
  ['keys: [{ key: y, name: "a b" }]', 'keys[0].name: expected a name of up to 64 letters'],
  ['keys: [{ key: y, name: a }, { key: z, name: a }]', 'keys[1]: has the same name "a" as keys[0]. Keep one of them'],
  ['keys: [y, { key: y }]', 'keys[1]: is the same key as keys[0]. Keep one of them'],
])('%s is refused with the field and the remedy', (file, message) => {
  expect(() => load(file)).toThrow(ConfigError)
  expect(() => load(file)).toThrow(message)
})

test('a key written twice is one key', () => {
  expect(load('keys: [a, b, a]').settings.keys.map(({ name }) => name)).toEqual(['key-1', 'key-2'])
})

test.each([
  ['2027-01-31', '2027-02-01T00:00:00.000Z'],
  ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
  ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
])('a key that expires %s works until %s', (date, end) => {
  expect(new Date(toExpiry(date) ?? 0).toISOString()).toBe(end)
})
