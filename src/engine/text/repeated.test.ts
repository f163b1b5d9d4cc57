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

/** Reads a text up to `<end>`, which `ends` asks for wherever a tag stands. */
function read(text: string, size: number, circumstances?: Circumstances & { readonly ends?: () => void }): Read {
  const source = new Source()
  const repetition = circumstances === undefined ? undefined : new Repetition(source, circumstances)
  let asked = 0
  let read = ''
  function* ends(): Step<boolean> {
    asked++
    circumstances?.ends?.()
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
  const whole = read(text, text.length, {})
  const plain = read(text, text.length)
  expect({ ...whole, asked: 0 }).toEqual({ ...plain, asked: 0 })
  expect(read(text, 7, {})).toMatchObject({ text: plain.text, isOver: plain.isOver })
  expect(plain.asked).toBeGreaterThan(800)
  expect(whole.asked).toBeLessThan(plain.asked / 1.5)
})

const text = '<a>'.repeat(3000)

test('where something else has changed since, each is asked about', () => {
  let state = 0
  expect(read(text, text.length, { state: () => `${state++}` }).asked).toBe(3000)
})

test('what is passed is counted, and more of what was met before makes no difference', () => {
  const counts = new Map([['b', 1]])
  const { asked } = read(text, text.length, { counts, ends: () => void counts.set('a', (counts.get('a') ?? 0) + 1) })
  expect(asked).toBeLessThan(1000)
  expect(counts).toEqual(
    new Map([
      ['b', 1],
      ['a', 3000],
    ]),
  )
})

test.each([
  ['what is met less and less', (times: number) => [['a', 5000 - times]] as const],
  ['what is met the first time', (times: number) => [[`${times}`, 1]] as const],
  ['more than is compared', () => Array.from({ length: 65 }, (_, n) => [`${n}`, 1] as const)],
])('%s is asked about', (_, met) => {
  const counts = new Map<string, number>()
  let times = 0
  const ends = () => {
    for (const [name, count] of met(++times)) counts.set(name, count)
  }
  expect(read(text, text.length, { counts, ends }).asked).toBe(3000)
})
