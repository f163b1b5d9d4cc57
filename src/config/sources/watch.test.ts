import { expect, test } from 'vitest'
import { watchFile } from './watch.ts'

function scripted(text: string, inUse = text) {
  let current: string | undefined = text
  let unreadable = false
  let fire: (() => void) | undefined
  let pending: { run: () => void; ms: number }[] = []
  const told: (string | undefined)[] = []
  const watching = watchFile({
    path: '/etc/dragoman/dragoman.yaml',
    seen: inUse,
    readFile() {
      if (unreadable) throw new Error('EACCES')
      return current
    },
    onChange: (text) => told.push(text),
    watchFolder(folder, onEvent) {
      expect(folder).toBe('/etc/dragoman')
      fire = onEvent
      return () => {
        fire = undefined
      }
    },
    later(run, ms) {
      const timer = { run, ms }
      pending.push(timer)
      return () => {
        pending = pending.filter((other) => other !== timer)
      }
    },
  })
  return {
    told,
    watching,
    write(next: string | undefined) {
      current = next
      fire?.()
    },
    forbid() {
      unreadable = true
      fire?.()
    },
    /** Lets this long pass: 100 ms for a write to settle, 1000 for one that seems unfinished. */
    settle(ms = 100) {
      const due = pending.filter((timer) => timer.ms <= ms)
      pending = pending.filter((timer) => timer.ms > ms)
      for (const { run } of due) run()
      return due.length
    },
  }
}

test('a write in several steps is told once', () => {
  const { write, settle, told } = scripted('a')
  write('')
  write('b')
  write('bc')
  expect(settle()).toBe(1)
  expect(told).toEqual(['bc'])
})

test('an event that changes nothing is not told', () => {
  const { write, settle, told } = scripted('a')
  write('a')
  settle()
  expect(told).toEqual([])
})

test('a second change after the first is told too', () => {
  const { write, settle, told } = scripted('a')
  write('b')
  settle()
  write('a')
  settle()
  expect(told).toEqual(['b', 'a'])
})

test.each<[string, string | undefined]>([
  ['is gone', undefined],
  ['is empty', ''],
  ['is blank', ' \n'],
  ['is cut off', 'keys: [a]\n'],
])('a file that %s is told once it had time to be finished', (_what, text) => {
  const { write, settle, told } = scripted('keys: [a]\nmodels: {}\n')
  write(text)
  settle()
  expect(told).toEqual([])
  settle(1000)
  expect(told).toEqual([text])
})

test.each<[string, string, readonly string[]]>([
  ['as it was', 'keys: [a]\nmodels: {}\n', []],
  ['with a change', 'keys: [a]\nmodels: { b: {} }\n', ['keys: [a]\nmodels: { b: {} }\n']],
])('a write that was seen halfway and then finished, %s, is not told by halves', (_what, text, expected) => {
  const { write, settle, told } = scripted('keys: [a]\nmodels: {}\n')
  write('')
  settle()
  write('keys: [a]\n')
  settle()
  write(text)
  settle()
  expect(told).toEqual(expected)
  settle(1000)
  expect(told).toEqual(expected)
})

test('a file that cannot be read is told', () => {
  const forbidden = scripted('a')
  forbidden.forbid()
  forbidden.settle()
  forbidden.settle(1000)
  expect(forbidden.told).toEqual([undefined])
})

test('closing forgets a change that was about to be told', () => {
  const { write, watching, settle, told } = scripted('a')
  write('b')
  watching.close()
  settle()
  write('c')
  expect(settle()).toBe(0)
  expect(told).toEqual([])
})

test('a change that came before the watch is told', () => {
  expect(scripted('b', 'a').told).toEqual(['b'])
})
