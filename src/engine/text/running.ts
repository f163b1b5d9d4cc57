import { type Apart, refuted, Source, type Step } from './source.ts'

/**
 * A step whose result is known before it is taken. Most are, where text comes in large pieces, and a generator that does
 * not wait costs several times as much.
 */
class Known<T> implements Step<T> {
  readonly result: IteratorReturnResult<T>

  constructor(result: IteratorReturnResult<T>) {
    this.result = result
  }

  next(): IteratorReturnResult<T> {
    return this.result
  }

  [Symbol.iterator](): this {
    return this
  }
}

export function known<T>(value: T): Step<T> {
  return new Known({ done: true, value })
}

export const yes: Step<boolean> = known(true)
export const no: Step<boolean> = known(false)
export const nothing: Step<void> = known(undefined)

/**
 * Asks again whenever more has come, until there is an answer; undefined means that what is at hand does not tell. It was
 * asked once before: most questions are answered at once.
 */
export function* later<T>(question: () => Step<T> | undefined): Step<T> {
  for (;;) {
    yield
    const answer = question()
    if (answer !== undefined) return yield* answer
  }
}

/** Waits until there is a character to read; false at the end of the answer. `fast` may take whole chunks meanwhile. */
export function* more(source: Source, fast?: (chunk: string) => boolean): Step<boolean> {
  while (source.at >= source.text.length && !source.ended) {
    source.fast = fast
    yield
    source.fast = undefined
  }
  return source.at < source.text.length
}

/** Waits until so many characters are at hand, or no more of them come. */
export function* need(source: Source, length: number): Step<void> {
  while (source.text.length - source.at < length && !source.ended) yield
}

/** Runs a reading as far as what is there takes it; true when it is done. */
export function run<T>(source: Source, reading: Step<T>): IteratorResult<undefined, T> {
  for (;;) {
    if (!isWaiting(source)) {
      const result = reading.next()
      if (result.done === true) return result
    }
    if (!source.advance()) return { done: false, value: undefined }
  }
}

/** Resumes the innermost of the readings apart, and those around it that it finishes; true when one of them wants more. */
function isWaiting({ apart }: Source): boolean {
  for (let inner = apart.at(-1); inner !== undefined; inner = apart.at(-1)) {
    try {
      const { done, value } = inner.reading.next()
      if (done !== true) return true
      inner.settle = () => value
    } catch (thrown) {
      inner.settle = () => {
        throw thrown
      }
    }
    apart.pop()
  }
  return false
}

/**
 * A reading whose caller is not resumed before it is done. Resuming a reading costs as much as there are readings around it
 * (`bench/reader.ts`), so where it lies deep and waits often it runs apart.
 */
export function apart<T>(source: Source, reading: Step<T>): Step<T> {
  const depth = source.apart.length
  const first = reading.next()
  return first.done === true ? new Known(first) : awaitApart(source, reading, depth)
}

function* awaitApart<T>(source: Source, reading: Step<T>, depth: number): Step<T> {
  const inner: Apart = { reading, settle: () => undefined }
  source.apart.splice(depth, 0, inner)
  yield
  return inner.settle() as T
}

/** A reading that goes back to where it began when it comes to nothing: undefined, false or refuted. */
export function* attempt<T>(source: Source, read: () => Step<T>): Step<T | undefined> {
  const start = source.mark()
  try {
    const result = yield* read()
    if (result === undefined || result === false) source.giveUp(start)
    return result
  } catch (thrown) {
    if (thrown !== refuted) throw thrown
    source.giveUp(start)
    return undefined
  } finally {
    source.release()
  }
}

/** Reads ahead and goes back. */
export function* look<T>(source: Source, read: () => Step<T>): Step<T> {
  const start = source.mark()
  try {
    return yield* read()
  } finally {
    source.goTo(start)
    source.release()
  }
}

/** Runs a reader over text that is all there. */
export function runWhole<T>(text: string, read: (source: Source) => Step<T>): T {
  const source = new Source()
  source.push(text)
  source.end()
  const reading = read(source)
  for (;;) {
    const result = run(source, reading)
    if (result.done === true) return result.value
  }
}
