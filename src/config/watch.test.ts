import { expect, test } from 'vitest'
import { watchFile } from './watch.ts'

function scripted(text: string, inUse = text) {
  let current: string | undefined = text
  let unreadable = false
  let fire: (() => void) | undefined
  let pending: (() => void)[] = []
  const told: (string | undefined)[] = []
  const watching = watchFile({
    path: '/etc/dragoman/dragoman.yaml',
    seen: inUse,
    readFile() {
      if (unreadable) throw new Error('EACCES')
      return current
    },
    onChange: () => told.push(current),
    watchFolder(folder, onEvent) {
      expect(folder).toBe('/etc/dragoman')
      fire = onEvent
      return () => {
        fire = undefined
      }
    },
    later(run) {
      pending.push(run)
      return () => {
        pending = pending.filter((other) => other !== run)
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
    settle() {
      const due = pending
      pending = []
      for (const run of due) run()
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

test('a file that goes or cannot be read is told', () => {
  const gone = scripted('a')
  gone.write(undefined)
  gone.settle()
  expect(gone.told).toEqual([undefined])
  const forbidden = scripted('a')
  forbidden.forbid()
  forbidden.settle()
  expect(forbidden.told).toHaveLength(1)
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
