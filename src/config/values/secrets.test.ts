import { expect, test } from 'vitest'
import { createConfigSchema } from '../../../test/config.ts'
import { hideInUrl, hideSecrets } from './secrets.ts'

test.each([
  ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
  ['https://user:hunter2@host/v1', 'https://***@host/v1'],
  ['https://hunter2@host/v1', 'https://***@host/v1'],
  ['https://user:hun@ter2@host/v1', 'https://***@host/v1'],
  ['https://user:hun/ter2@host/v1', 'https://***@host/v1'],
  ['https://host/@scope/v1', 'https://host/@scope/v1'],
  ['redis://:hunter2@10.0.0.2:6379/1', 'redis://***@10.0.0.2:6379/1'],
  ['rediss://10.0.0.2/1?password=hunter2', 'rediss://10.0.0.2/1?password=***'],
  ['https://host/v1?key=hunter2', 'https://host/v1?key=***'],
  ['https://host/v1?key=hunter2=&a=hunter2', 'https://host/v1?key=***&a=***'],
  ['https://host/v1?hunter2', 'https://host/v1?***'],
  ['https://host/v1?', 'https://host/v1?'],
  ['https://host/v1?api-version=2024-06-01&code=hunter2', 'https://host/v1?api-version=2024-06-01&code=***'],
  ['https://host/v1?next=http://u:hunter2@x/', 'https://host/v1?next=***'],
  ['https://host/v1#hunter2', 'https://host/v1#***'],
  ['https://host/v1?a=b#hunter2', 'https://host/v1?a=***#***'],
  ['https://host/sk-hunter2hunter2/v1', 'https://host/***/v1'],
  ['https://host/v1/eyJhbGciOi.hunter2.hunter2', 'https://host/v1/***'],
  ['https://u:hunter2@host/sk-hunter2hunter2?k=hunter2#hunter2', 'https://***@host/***?k=***#***'],
  ['Qwen/Qwen3-Coder-30B', 'Qwen/Qwen3-Coder-30B'],
  ['memory', 'memory'],
  ['', ''],
])('%s is shown as %s', (text, expected) => {
  expect(hideInUrl(text)).toBe(expected)
})

test('keys and what may carry one are hidden wherever they stand, and nothing else is', () => {
  const file = createConfigSchema([]).parse({
    keys: ['hunter2', 'env:KEY'],
    upstreams: {
      key: { kind: 'openai', url: 'https://u:hunter2@host/v1?key=hunter2', key: 'hunter2' },
      web: { kind: 'qwen-chat', url: 'https://host?token=hunter2', key: 'passthrough' },
      poe: { kind: 'poe', url: 'https://host/bot?auth=hunter2', key: 'env:POE' },
    },
    models: { keys: { upstream: 'key' }, key: { upstream: ['key', 'web'] } },
    sessions: { store: 'redis://host/1?password=hunter2' },
  })
  const shown = hideSecrets(file)
  expect(JSON.stringify(shown)).not.toContain('hunter2')
  expect(shown).toMatchObject({
    keys: ['***', 'env:KEY'],
    upstreams: { key: { key: '***' }, web: { key: 'passthrough' }, poe: { key: 'env:POE' } },
  })
  expect(shown.models).toEqual(file.models)
  expect(shown.limits).toEqual(file.limits)
  const later = {
    ...file,
    upstreams: { x: { kind: 'openai', headers: { authorization: 'hunter2', 'x-a': ['hunter2'] } } },
  }
  expect(JSON.stringify(hideSecrets(later as never))).not.toContain('hunter2')
})
