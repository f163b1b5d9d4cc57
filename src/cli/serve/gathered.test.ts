import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gatherLines } from './gathered.ts'

test('lines of one turn are written at once, in order, and later ones later', async () => {
  const written: string[] = []
  const write = gatherLines((text) => written.push(text))
  write('one\n')
  write('two\n')
  expect(written).toEqual([])
  await nextTurn()
  write('three\n')
  await nextTurn()
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
})

test('a program that ends at once has written all of them', () => {
  const file = JSON.stringify(join(import.meta.dirname, 'gathered.ts'))
  const program = `import { gatherLines } from ${file}
    const write = gatherLines((text) => process.stdout.write(text))
    write('first\\n')
    write('last\\n')
    process.exit(0)`
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
  expect(execFileSync(process.execPath, flags, { encoding: 'utf8' })).toBe('first\nlast\n')
})
