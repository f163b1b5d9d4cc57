import { expect, test } from 'vitest'
import { readClientName } from '../../server/inspector/tracing.ts'

test.each([
  [undefined, 'unknown'],
  ['', 'unknown'],
  ['curl/8.5.0', 'curl'],
  ['opencode/1.0.2 ai-sdk/provider-utils', 'opencode'],
  ['OpenAI/JS 7.53.0', 'OpenAI/JS'],
  ['Anthropic/Python 1.2', 'Anthropic/Python'],
  ['claude-cli/2.0.1 (external, cli)', 'claude-cli'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'browser'],
  ['ünïcode', '?n?code'],
])('%s is %s', (userAgent, name) => {
  expect(readClientName(userAgent)).toBe(name)
})
