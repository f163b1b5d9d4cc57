import { expect, test } from 'vitest'
import { firstToBeHad, NotToBeHad, newestFirst } from './install.ts'

const time = {
  created: '2026-01-01T00:00:00.000Z',
  modified: '2026-06-01T00:00:00.000Z',
  '1.0.0': '2026-01-01T00:00:00.000Z',
  '2.0.0': '2026-02-01T00:00:00.000Z',
  '1.0.1': '2026-03-01T00:00:00.000Z',
  '3.0.0-beta.1': '2026-04-01T00:00:00.000Z',
  '3.0.0': '2026-05-01T00:00:00.000Z',
  '3.0.1': '2026-06-01T00:00:00.000Z',
}

test('the newest comes first, then the released ones before it by their day, with what there was a day later', () => {
  expect(newestFirst({ version: '3.0.0', time })).toEqual([
    { version: '3.0.0' },
    { version: '1.0.1', before: '2026-03-02T00:00:00.000Z' },
    { version: '2.0.0', before: '2026-02-02T00:00:00.000Z' },
    { version: '1.0.0', before: '2026-01-02T00:00:00.000Z' },
  ])
})

test('not more than twelve are tried', () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, day) => [`1.0.${day}`, new Date(Date.UTC(2026, 0, day + 1)).toISOString()]),
  )
  const versions = newestFirst({ version: '1.0.39', time: many }).map(({ version }) => version)
  expect(versions).toEqual(Array.from({ length: 12 }, (_, back) => `1.0.${39 - back}`))
})

const candidates = newestFirst({ version: '3.0.0', time })

test('the first that can be had is taken, and no older one is tried', () => {
  const asked: string[] = []
  const { version } = firstToBeHad(candidates, (candidate) => {
    asked.push(candidate.version)
    if (candidate.version !== '2.0.0') throw new NotToBeHad(`no ${candidate.version}`)
    return { folder: '/', version: candidate.version }
  })
  expect({ version, asked }).toEqual({ version: '2.0.0', asked: ['3.0.0', '1.0.1', '2.0.0'] })
})

test('if none can be had, the reason is that of the newest', () => {
  const attempt = ({ version }: { version: string }) => {
    throw new NotToBeHad(`no ${version}`)
  }
  expect(() => firstToBeHad(candidates, attempt)).toThrow(new NotToBeHad('no 3.0.0'))
})

test('another fault than a package that cannot be had is not stepped over', () => {
  const asked: string[] = []
  const attempt = ({ version }: { version: string }) => {
    asked.push(version)
    throw new Error('the disk is full')
  }
  expect(() => firstToBeHad(candidates, attempt)).toThrow('the disk is full')
  expect(asked).toEqual(['3.0.0'])
})
