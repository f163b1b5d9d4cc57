import { expect, test } from 'vitest'
import { complainOfNode } from './version.ts'

test.each([
  ['22.19.0', '>=22.19', true],
  ['22.19', '>=22.19', true],
  ['24.0.0', '>=22.19', true],
  ['23.1.0-nightly2026', '>=22.19', true],
  ['22.18.9', '>=22.19', false],
  ['22.2.0', '>=22.19', false],
  ['20.20.2', '>=22.19', false],
  ['9.99.9', '>=22.19', false],
  ['22.19.0', '>=22.19.1', false],
])('Node %s where %s is needed: %s', (have, engines, fine) => {
  const complaint = complainOfNode(have, engines)
  if (fine) expect(complaint).toBeUndefined()
  else expect(complaint).toMatch(new RegExp(`needs Node ${engines.slice(2)} or newer, and this is Node ${have}\\.`))
})
