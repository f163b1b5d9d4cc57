import { describe, expect, test } from 'vitest'
import { measureSize, sizedDialects } from './sizes.ts'

/** `npm run grammars -- --sizes` prints more of them, with their times. */
describe.each(sizedDialects)('%s', (name) => {
  test.each([1, 512])(
    'the grammar of %i tools stays small, is made in small steps, and compiles',
    async (count) => {
      const { characters, stepMs, compiledMs } = await measureSize(name, count, { mode: 'required' })
      expect(characters).toBeLessThan(150_000)
      // On a machine that does nothing else it is a fraction of both.
      expect(stepMs).toBeLessThan(150)
      expect(compiledMs).toBeLessThan(20_000)
    },
    60_000,
  )
})
