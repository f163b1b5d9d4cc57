import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Calls a function as often as some hundred requests would, and has V8 say how it compiles it. */
const busy = (once: boolean) => `import { compileOnce } from ${JSON.stringify(join(import.meta.dirname, 'tiers.ts'))}
  if (${once}) compileOnce()
  function askedForEachRequest(list) { return list.map((item) => item.length).filter((length) => length > 2) }
  for (let turn = 0; turn < 40; turn++) {
    for (let count = 0; count < 50; count++) askedForEachRequest(['a', 'bcd', 'efgh'])
    await new Promise((resolve) => setTimeout(resolve, 1))
  }`

function compilations(once: boolean): readonly string[] {
  const flags = ['--disable-warning=ExperimentalWarning', '--trace-opt', '--input-type=module', '-e']
  const said = execFileSync(process.execPath, [...flags, busy(once)], { encoding: 'utf8' })
  return said
    .split('\n')
    .filter((line) => line.includes('completed optimizing') && line.includes('askedForEachRequest'))
}

test('what is called for each request is compiled once and well, where V8 alone would still wait with that', () => {
  const isWell = (line: string) => line.includes('TURBOFAN')
  const once = compilations(true)
  expect(once.length).toBeGreaterThan(0)
  expect(once.every(isWell)).toBe(true)
  expect(compilations(false).some(isWell)).toBe(false)
})
