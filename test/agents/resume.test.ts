import { expect, test } from 'vitest'
import { agents } from './agents.ts'
import type { Row } from './matrix.ts'
import { isDone, readDone, toLine } from './resume.ts'
import { sdks } from './sdks.ts'

const names = [...agents, ...sdks].map(({ name }) => name)
const tried = (name: string, version = '7.0.1'): Row => ({
  name: `${name} ${version}`,
  cells: new Map([['hermes', { faults: ['no file'], seconds: 1.5, parallel: true }]]),
})
const absent: Row = { name: 'Kilo', cells: new Map(), missing: 'it is not in the registry' }

test('rows come back from their lines as they were', () => {
  expect(readDone(names.map((name) => toLine(tried(name))).join(''))).toEqual(names.map((name) => tried(name)))
})

test.each(['7.0.1', '2026.11.3-beta.1'])('of all names only the one that was tried at %s is done', (version) => {
  for (const name of names) {
    const rows = readDone(toLine(tried(name, version)))
    expect(names.filter((other) => isDone(rows, other))).toEqual([name])
  }
})

test('what could not be had is not done', () => {
  const rows = readDone(toLine(absent) + toLine(tried('pi')))
  expect(rows.map(({ name }) => name)).toEqual(['pi 7.0.1'])
  expect(isDone(rows, 'Kilo')).toBe(false)
})

test('of a run that was killed the whole lines are done', () => {
  const text = toLine(tried('pi')) + toLine(tried('Kilo'))
  for (let end = toLine(tried('pi')).length; end < text.length - 1; end++)
    expect(readDone(text.slice(0, end))).toEqual([tried('pi')])
})
