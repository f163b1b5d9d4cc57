import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compareVersions, mostDays, type Published } from './versions.ts'

const document = readFileSync('docs/clients.md', 'utf8')
const now = Date.parse('2026-03-01T00:00:00Z')
const before = (days: number) => new Date(now - days * 86_400_000).toISOString()

function compare(successor: string) {
  const published = (name: string): Published => {
    if (name === 'cline') return undefined
    return name === 'ollama'
      ? {
          newest: '9.9.9',
          at: { [/\| `ollama` \| (\d\S+)/.exec(document)?.[1] ?? '']: before(400), '9.9.9': successor },
        }
      : { newest: '0.0.0', at: {} }
  }
  return compareVersions(document, published, now)
}

test('every client of the table is looked up, and one that the registry does not know is no failure', () => {
  const { lines, isCurrent } = compare(before(mostDays))
  expect(lines.filter((line) => line.includes('not in the table'))).toEqual([])
  expect(lines.find((line) => line.startsWith('Cline '))).toContain('does not tell of cline')
  expect(isCurrent).toBe(true)
})

test('a client is behind once its successor has been out for long', () => {
  const { lines, isCurrent } = compare(before(mostDays + 1))
  expect(lines.find((line) => line.startsWith('`ollama`'))).toContain(`behind 9.9.9 for ${mostDays + 1} days`)
  expect(isCurrent).toBe(false)
})
