import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { clients } from './connect-clients.ts'
import { mergeSettings, printSettings } from './connect-merge.ts'

const target = { url: 'http://127.0.0.1:8484/v1', model: 'small', key: 'a-key' }
const other = { ...target, model: 'large' }

function settingsOf(name: string, whom = target) {
  const client = clients.find((one) => one.name === name)
  if (client === undefined) throw new Error(`There is no client ${name}.`)
  return client.settings(whom)
}

test.each(clients)('$name is told the address and the key', ({ settings }) => {
  const text = printSettings(settings(target))
  expect(text).toContain(target.url)
  expect(text).toContain(target.key)
})

test.each(clients)('$name: the same settings twice are the same file', ({ settings }) => {
  const once = mergeSettings(settings(target), '')
  expect(mergeSettings(settings(target), once)).toBe(once)
})

test.each(clients)('$name: docs/clients.md shows what it is told', ({ settings }) => {
  const text = printSettings(settings({ ...target, model: 'qwen3-coder', key: 'YOUR_KEY' }))
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
    expect(again.providers.dragoman.models.map(({ id }: { id: string }) => id)).toEqual(['large', 'small'])
  })

  test('stays in YAML with its comments, and so does its name', () => {
    const before = '# mine\nname: home\nversion: 2.0.0\nmodels:\n  - name: own\n    provider: ollama\n'
    const after = mergeSettings(settingsOf('continue'), before)
    expect(after).toMatch(/^# mine\nname: home\nversion: 2.0.0\n/)
    expect(after).toMatch(/- name: own\n[\s\S]*- name: dragoman\n/)
  })

  test('stays in a file of variables', () => {
    const before = 'OTHER=1\nexport OPENAI_API_KEY=old\n'
    expect(mergeSettings(settingsOf('openai'), before)).toBe(
      'OTHER=1\nOPENAI_BASE_URL=http://127.0.0.1:8484/v1\nOPENAI_API_KEY=a-key\n',
    )
  })

  test('is not overwritten when it cannot be read', () => {
    expect(() => mergeSettings(settingsOf('opencode'), '// mine\n{}')).toThrow('put the settings in by hand')
  })
})
