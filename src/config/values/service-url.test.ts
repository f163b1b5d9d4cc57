import { expect, test } from 'vitest'
import { readServiceUrl } from './service-url.ts'

test.each([
  ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
  ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
  ['https://x.example/deployments/a?api-version=1', 'https://x.example/deployments/a?api-version=1'],
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
  ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434/v1'],
  ['127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
  ['localhost:11434/v1', 'http://localhost:11434/v1'],
  ['localhost', 'http://localhost/v1'],
  ['[::1]:11434', 'http://[::1]:11434/v1'],
  ['gpu-box:8000', 'http://gpu-box:8000/v1'],
  ['api.example.com/v1', 'https://api.example.com/v1'],
  ['http://127.0.0.1:11434/api', 'http://127.0.0.1:11434/v1'],
  ['127.0.0.1:11434/api/', 'http://127.0.0.1:11434/v1'],
  ['http://box:9999/api/chat', 'http://box:9999/v1'],
  // Open WebUI speaks OpenAI's words here.
  ['http://127.0.0.1:3000/api', 'http://127.0.0.1:3000/api'],
  ['http://127.0.0.1:8000/v1/chat/completions', 'http://127.0.0.1:8000/v1'],
  ['http://127.0.0.1:8000/v1/models', 'http://127.0.0.1:8000/v1'],
  ['http://127.0.0.1:8000/v1/', 'http://127.0.0.1:8000/v1/'],
])('%s is %s', (written, url) => {
  expect(readServiceUrl(written)).toBe(url)
})

test.each(['', 'word', 'ftp://127.0.0.1', 'http://', 'a b', 'file:///etc/passwd'])('%j is no address', (written) => {
  expect(readServiceUrl(written)).toBeUndefined()
})
