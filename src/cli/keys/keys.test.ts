import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createFolder, runDragoman } from '../../../test/dragoman.ts'
import { hashKey } from '../../config/keys.ts'
import { addKey } from './keys.ts'

const entry = { name: 'bob', hash: 'sha256:00' }

test.each([
  ['', 'dragoman.yaml'],
  ['# only a comment', 'dragoman.yaml'],
  ['listen: 127.0.0.1:1 # mine\n', 'dragoman.yaml'],
  ['keys: [env:A]\n# end\n', 'dragoman.yaml'],
  ['keys:\n  - env:A # the first\nlog: debug\n', 'dragoman.yaml'],
  ['keys: null\n', 'dragoman.yaml'],
  ['{"keys": ["env:A"], "log": "debug"}', 'dragoman.json'],
])('a key is added to %j and all else stays', (text, path) => {
  const before = (parse(text) ?? {}) as { keys?: unknown[] | null }
  const after = addKey({ path, text }, entry)
  expect(parse(after)).toEqual({ ...before, keys: [...(before.keys ?? []), entry] })
  for (const comment of text.match(/#.*/g) ?? []) expect(after).toContain(comment)
})

test('a new key is shown once, its hash is kept, and it is listed without either', async () => {
  const place = createFolder({ 'dragoman.yaml': 'keys: [literal-key-one]\n' })
  try {
    const flags = ['--requests', '60', '--models', 'qwen*, m', '--expires', '2027-01-31', '--write']
    const made = await runDragoman(['keys', 'new', 'alice', ...flags], place)
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^sk-dragoman-[A-Za-z0-9]{24}\n$/) })
    expect(made.complaints).toContain('This is the only time the key is shown.')
    const listed = await runDragoman(['keys', 'list', '--json'], place)
    const key = made.out.trim()
    expect(JSON.parse(listed.out)).toMatchObject([
      { name: 'key-1' },
      { name: 'alice', hash: hashKey(key).slice(0, 8), requests_per_minute: 60, models: ['qwen*', 'm'] },
    ])
    expect(listed.out).not.toMatch(/literal-key-one|sk-dragoman/)
    const again = await runDragoman(['keys', 'new', 'alice', '--write'], place)
    expect(again).toMatchObject({ code: 1, out: '' })
    const table = await runDragoman(['keys', 'list'], place)
    expect(table.out).toContain('alice')
  } finally {
    place.remove()
  }
}, 30_000)

test.each([
  [['keys'], 'Choose `new NAME`, `rotate NAME`'],
  [['keys', 'revoke'], 'Say whose key it is'],
  [['keys', 'new'], 'Say whose key it is'],
  [['keys', 'new', 'a b'], 'Say whose key it is'],
  [['keys', 'new', 'a', '--expires', 'soon'], '--expires must be a date'],
])(
  '%j is wrong usage',
  async (args, message) => {
    const place = createFolder()
    try {
      expect(await runDragoman(args, place)).toMatchObject({ code: 2, complaints: expect.stringContaining(message) })
    } finally {
      place.remove()
    }
  },
  30_000,
)

test('with an admin among the keys they are kept beside the config file: made, rotated, revoked, listed and audited', async () => {
  const place = createFolder({
    'dragoman.yaml': 'keys: [{ name: ops, key: an-admin-key-of-some-length, admin: true }]\n',
  })
  const keys = (...args: string[]) =>
    runDragoman(['keys', ...args], { ...place, environment: { XDG_STATE_HOME: join(place.folder, 'state') } })
  try {
    const flags = ['--team', 'research', '--tokens-per-day', '5000', '--json']
    const made = JSON.parse((await keys('new', 'alice', ...flags)).out)
    expect(made.entry).toEqual({
      name: 'alice',
      hash: `sha256:${hashKey(made.key)}`,
      team: 'research',
      tokens_per_day: 5000,
    })
    expect(readFileSync(join(place.folder, 'dragoman.yaml'), 'utf8')).not.toContain('alice')
    expect(await keys('new', 'alice')).toMatchObject({ code: 1, complaints: expect.stringContaining('already') })
    const rotated = await keys('rotate', 'alice')
    expect(rotated.out.trim()).not.toBe(made.key)
    const listed = JSON.parse((await keys('list', '--json')).out)
    expect(listed).toMatchObject([{ name: 'ops' }, { name: 'alice', hash: hashKey(rotated.out.trim()).slice(0, 8) }])
    expect(await keys('rotate', 'ops')).toMatchObject({ code: 1, complaints: expect.stringContaining('config file') })
    expect(await keys('revoke', 'alice')).toMatchObject({ code: 0 })
    expect(JSON.parse((await keys('list', '--json')).out)).toHaveLength(1)
    expect((await keys('audit')).out).toMatch(/revoked +alice\n.*rotated +alice\n.*made +alice/)
  } finally {
    place.remove()
  }
}, 60_000)
