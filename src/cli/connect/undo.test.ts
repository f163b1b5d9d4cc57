import { expect, test } from 'vitest'
import type { SettingsFile } from './clients/client.ts'
import { mergeSettings } from './merge.ts'
import { undo } from './undo.ts'

type Format = SettingsFile['format']

function write(format: Format, value: Readonly<Record<string, unknown>>, before: string | undefined) {
  const after = mergeSettings({ place: 'home', path: '', format, value }, before ?? '')
  return { format, value, after, ...(before !== undefined && { before }) }
}

const provider = {
  model: 'dragoman/m',
  provider: { dragoman: { name: 'D', models: { m: { limit: { context: 1 } } } } },
}
const list = { models: [{ name: 'dragoman', roles: ['chat', 'edit'] }] }
const variables = { KEY: 'k', MODEL: 'm' }

test.each<[string, Format, Readonly<Record<string, unknown>>, string | undefined, (text: string) => string, string]>([
  [
    'a setting the user added behind',
    'json',
    provider,
    '{\n  // mine\n  "model": "x/y", // for work\n  "theme": "dark" // at night\n}\n',
    (text) => text.replace(/\n\}\n$/, ',\n  "more": [1] // new\n}\n'),
    '{\n  // mine\n  "model": "x/y", // for work\n  "theme": "dark", // at night\n  "more": [1] // new\n}\n',
  ],
  [
    'a setting the user added before, in one line',
    'json',
    provider,
    '{"theme": "dark"}',
    (text) => text.replace('{"theme"', '{"a": 1, "theme"'),
    '{"a": 1, "theme": "dark"}',
  ],
  [
    'a file that a client wrote anew',
    'json',
    provider,
    '{"theme": "dark", "provider": {"mine": {}}}',
    (text) => JSON.stringify({ ...JSON.parse(text), more: 1 }, undefined, 2),
    '{\n  "theme": "dark",\n  "provider": {\n    "mine": {}\n  },\n  "more": 1\n}',
  ],
  [
    'a model of the user beside ours',
    'json',
    provider,
    undefined,
    (text) => text.replace('"m": {', '"own": {},\n        "m": {'),
    '{\n  "provider": {\n    "dragoman": {\n      "models": {\n        "own": {}\n      }\n    }\n  }\n}\n',
  ],
  [
    'a value that the user changed since',
    'json',
    provider,
    '{"model": "x/y"}',
    (text) => text.replace('"dragoman/m"', '"z/z"'),
    '{"model": "z/z"}',
  ],
  [
    'another model in a list',
    'yaml',
    list,
    '# mine\nmodels:\n  - name: own # keep\n',
    (text) => `${text}  - name: third\nmore: 1\n`,
    '# mine\nmodels:\n  - name: own # keep\n  - name: third\nmore: 1\n',
  ],
  [
    'another variable',
    'env',
    variables,
    '# mine\nexport KEY=old\n',
    (text) => `${text}NEW=1\n`,
    '# mine\nexport KEY=old\nNEW=1\n',
  ],
  [
    'another table',
    'toml',
    { model: 'm', providers: { dragoman: { name: 'D', url: 'u' } } },
    '# mine\nmodel = "gpt" # best\n\n[tui]\na = 1\n',
    (text) => `${text}\n[more]\nb = 2\n`,
    '# mine\nmodel = "gpt" # best\n\n[tui]\na = 1\n\n[more]\nb = 2\n',
  ],
])('what was written goes, and %s stays', (_, format, value, before, change, expected) => {
  const written = write(format, value, before)
  expect(undo(written, change(written.after))).toBe(expected)
})

test('a list whose only entry was ours goes, and so does what was a frame for it', () => {
  const written = { ...write('yaml', list, undefined), value: { ...list, name: 'dragoman' } }
  expect(undo(written, `${written.after}mine: 1\n`)).toBe('mine: 1\n')
})
