import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { files } from '../../scripts/reference/make.ts'

test.each(files().map(({ path, text }) => [path, text]))('%s is as `npm run reference` makes it', (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(text)
})
