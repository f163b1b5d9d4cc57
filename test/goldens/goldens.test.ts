import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { cuttings, goldens, read } from './read.ts'

test('every dialect has goldens', () => {
  expect(dialects.map(({ name }) => name).filter((name) => !goldens.has(name))).toEqual([])
})

describe.each([...goldens])('%s', (_, cases) => {
  test.each(cases)('$title', (golden) => {
    for (const size of cuttings) expect({ size, ...read(golden, size) }).toEqual({ size, ...golden.expected })
  })
})
