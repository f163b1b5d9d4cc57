import { expect, test } from 'vitest'
import { stands } from './literals.ts'
import { type Circumstances, Repetition } from './repeated.ts'
import { run } from './running.ts'
import { Source, type Step } from './source.ts'
import { readUntil } from './value.ts'

interface Read {
  readonly text: string
  readonly isOver: boolean | undefined
  readonly asked: number
}

const unconditional: Circumstances = { mark: () => undefined, areAsMarked: () => true, repeat: () => undefined }

/** Reads a text up to `<end>`, which `ends` asks for wherever a tag stands. */
function read(text: string, size: number, circumstances: Circumstances | undefined): Read {
  const source = new Source()
  const repetition = circumstances === undefined ? undefined : new Repetition(source, circumstances)
  let asked = 0
  let read = ''
  function* ends(): Step<boolean> {
    asked++
    return yield* stands(source, '<end>')
  }
  const reading = readUntil(source, '<', ends, (piece) => void (read += piece), undefined, repetition)
  let result = run(source, reading)
  for (let at = 0; at < text.length && result.done !== true; at += size) {
    if (!source.push(text.slice(at, at + size))) result = run(source, reading)
  }
  source.end()
  if (result.done !== true) result = run(source, reading)
  return { text: read, isOver: result.value, asked }
}

const loops: readonly (readonly [what: string, text: string])[] = [
  ['one tag over and over', '<a>'.repeat(3000)],
  ['several', '<a> and </b>, then <c/>.\n'.repeat(400)],
  ['a loop that another follows', `${'<a>'.repeat(2000)}${'<b>'.repeat(2000)}`],
  ['a loop that ends with half of what is said', `${'<a b="c">'.repeat(800)}<a b=`],
  ['a loop with the end behind it', `${'<en>'.repeat(2000)}<end>rest`],
]

test.each(loops)('%s is passed, and is the same text', (_, text) => {
  const whole = read(text, text.length, unconditional)
  const plain = read(text, text.length, undefined)
  expect({ ...whole, asked: 0 }).toEqual({ ...plain, asked: 0 })
  expect(read(text, 7, unconditional)).toMatchObject({ text: plain.text, isOver: plain.isOver })
  expect(plain.asked).toBeGreaterThan(800)
  expect(whole.asked).toBeLessThan(plain.asked / 1.5)
})

test('where something else has changed since, each is asked about', () => {
  const text = '<a>'.repeat(3000)
  expect(read(text, text.length, { ...unconditional, areAsMarked: () => false }).asked).toBe(3000)
})

test('what is passed is counted', () => {
  let passed = 0
  const text = '<a>'.repeat(3000)
  const { asked } = read(text, text.length, { ...unconditional, repeat: (times) => void (passed += times) })
  expect(asked).toBeLessThan(1000)
  expect(passed).toBeGreaterThan(0)
})
