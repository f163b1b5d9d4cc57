import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { apiReport, withApi } from '../../scripts/generate/api.ts'
import { readDeclarations } from '../../scripts/generate/declarations.ts'

describe('what can be imported', () => {
  const declarations = readDeclarations()

  test('is what docs/api.md says: a change of it is meant (npm run generate)', () => {
    expect(readFileSync('docs/api.md', 'utf8')).toBe(apiReport(declarations))
  })

  test('is listed in docs/library.md', () => {
    const page = readFileSync('docs/library.md', 'utf8')
    expect(page).toBe(withApi(page, declarations))
  })

  test('is explained, every name of it', () => {
    const bare = [...declarations].flatMap(([entry, names]) =>
      names.filter(({ about }) => about === '').map(({ name }) => `${entry}: ${name}`),
    )
    expect(bare).toEqual([])
  })
})
