import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { printChange } from '../edit/change.ts'
import { mergeSettings, printSettings } from '../edit/settings.ts'
import type { Target } from './clients/client.ts'
import { clients } from './clients/registry.ts'

const target: Target = {
  url: 'http://127.0.0.1:8484/v1',
  model: 'small',
  key: 'a-key',
  isSecret: true,
  context: 32_768,
}
const other = { ...target, model: 'large' }

function settingsOf(name: string, whom = target) {
  const client = clients.find((one) => one.name === name)
  if (client === undefined) throw new Error(`There is no client ${name}.`)
  return client.settings(whom)
}

test.each(clients)('$name is told the address and the key', ({ settings }) => {
  const text = printSettings(settings(target))
  // Some clients put the version into the path themselves.
  expect(text).toContain(target.url.replace('/v1', ''))
  expect(text).toContain(target.key)
})

test.each(clients)('$name: the same settings twice are the same file', ({ settings }) => {
  const once = mergeSettings(settings(target), '')
  expect(mergeSettings(settings(target), once)).toBe(once)
})

test.each(clients)('$name: docs/clients.md shows what it is told', ({ settings, leastContext = 0 }) => {
  const context = Math.max(target.context, leastContext)
  const text = printSettings(settings({ ...target, context, model: 'qwen3-coder', key: 'YOUR_KEY' }))
  expect(readFileSync('docs/clients.md', 'utf8')).toContain(`\n${text}\`\`\`\n`)
})

describe('what stands in a file already', () => {
  test('stays beside the settings in JSON', () => {
    const before = '{"theme": "dark", "provider": {"mine": {"name": "Mine"}}, "model": "mine/x"}'
    expect(JSON.parse(mergeSettings(settingsOf('opencode'), before))).toMatchObject({
      theme: 'dark',
      model: 'dragoman/small',
      provider: { mine: { name: 'Mine' }, dragoman: { options: { baseURL: target.url } } },
    })
  })

  test('a second model joins the first, and the same one is replaced', () => {
    const both = mergeSettings(settingsOf('pi', other), mergeSettings(settingsOf('pi'), ''))
    const again = JSON.parse(mergeSettings(settingsOf('pi'), both))
    expect(again.providers.dragoman.models.map(({ id }: { id: string }) => id)).toEqual(['small', 'large'])
  })

  test('stays in YAML with its comments, and so does its name', () => {
    const before =
      '# mine\nname: home\nversion: 2.0.0\nmodels:\n  # the old one\n  - name: own # keep\n    provider: ollama\n'
    const after = mergeSettings(settingsOf('continue'), before)
    expect(after).toMatch(/^# mine\nname: home\nversion: 2.0.0\nmodels:\n {2}# the old one\n {2}- name: own # keep\n/)
    expect(after).toMatch(/- name: own # keep\n[\s\S]*- name: dragoman\n/)
    const again = mergeSettings(settingsOf('continue', other), after)
    expect(again).toContain('model: large')
    expect(again).not.toContain('model: small')
  })

  test('stays in a file of variables, each in its place', () => {
    const before = '# mine\nexport OPENAI_API_KEY=old # comment\nOTHER=1\nOPENAI_API_KEY=older\n'
    expect(mergeSettings(settingsOf('openai'), before)).toBe(
      '# mine\nexport OPENAI_API_KEY=a-key\nOTHER=1\nOPENAI_BASE_URL=http://127.0.0.1:8484/v1\n',
    )
  })

  test('a key that a shell would take apart is quoted', () => {
    expect(mergeSettings(settingsOf('openai', { ...target, key: 'a b#c' }), '')).toContain("OPENAI_API_KEY='a b#c'\n")
  })

  test('stays in JSON with its comments', () => {
    const after = mergeSettings(settingsOf('opencode'), '// mine\n{\n  "theme": "dark", // at night\n  "tabs": 2,\n}\n')
    expect(after).toMatch(
      /^\/\/ mine\n\{\n {2}"theme": "dark", \/\/ at night\n {2}"tabs": 2,\n {2}"model": "dragoman\/small",\n/,
    )
  })

  test.each([
    ['opencode', '{ "theme": '],
    ['opencode', '[]'],
    ['continue', 'models: [unclosed'],
    ['continue', '- a\n- b\n'],
  ])('of %s is not overwritten when it cannot be read: %j', (name, text) => {
    expect(() => mergeSettings(settingsOf(name), text)).toThrow(Error)
  })
})

test('what the gateway knows of the model is what the client is told', () => {
  const small = { ...target, context: 8192 }
  for (const name of ['claude-code', 'opencode', 'kilo', 'continue', 'pi']) {
    const text = printSettings(settingsOf(name, small))
    expect(text).toMatch(/8192/)
    expect(text).toMatch(/2048/)
    expect(text).not.toMatch(/32768/)
  }
})

test('a change is told line by line, without keys', () => {
  const before = '{\n  "theme": "dark",\n  "model": "mine",\n  "apiKey": "sk-old"\n}\n'
  const after = '{\n  "theme": "dark",\n  "model": "dragoman",\n  "apiKey": "sk-new",\n  "more": 1\n}\n'
  expect(printChange(before, after)).toEqual([
    '-   "model": "mine",',
    '-   "apiKey": (old key)',
    '+   "model": "dragoman",',
    '+   "apiKey": (new key),',
    '+   "more": 1',
  ])
  expect(printChange('A=1\nOPENAI_API_KEY=sk-old\nB=2\n', 'A=1\nOPENAI_API_KEY=sk-new\nB=2\n')).toEqual([
    '- OPENAI_API_KEY=(old key)',
    '+ OPENAI_API_KEY=(new key)',
  ])
  const limits = '"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8192"'
  expect(printChange('', `${limits}, "ANTHROPIC_AUTH_TOKEN": "k"`)).toEqual([
    `+ ${limits}, "ANTHROPIC_AUTH_TOKEN": (new key)`,
  ])
})
