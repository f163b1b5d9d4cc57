import { expect, test } from 'vitest'
import { createClientWords } from './client-words.ts'

const words = createClientWords({
  temperature: 1,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'It says: "does not\nsupport tools".' }] }],
  tools: [{ function: { parameters: { properties: { unknown_parameter_seed: {} } } } }],
})

test.each([
  ['as it stands', 'does not\nsupport tools', true],
  ['escaped', 'does not\\nsupport tools', true],
  ['escaped twice', 'does not\\\\nsupport tools\\"', true],
  ['in other letters', 'DOES NOT SUPPORT TOOLS', true],
  ['with a joiner inside', 'does not sup\u2060port tools', true],
  ['as HTML', 'says: &quot;does not support tools&quot;', true],
  ['as a name inside a schema', "unknown parameter 'seed'", true],
  ['never', 'does not support images', false],
  ['as a field of its own only', 'temperature', false],
  ['as nothing at all', '""', false],
])('what the client wrote is known: %s', (_, phrase, known) => {
  expect(words.has(phrase)).toBe(known)
})
