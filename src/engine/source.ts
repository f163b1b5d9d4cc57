/**
 * A step of reading: it yields when it has used up what was pushed and wants more, and returns when it knows. Readers are
 * written as plain sequential code over this; because they can stop at any character, how the text was cut cannot matter.
 */
export type Step<T> = Generator<undefined, T, undefined>

const piecesPerBlock = 256

/** The text of one answer as it arrives: what is unread, where we are, and what must stay at hand to be given back. */
export class Source {
  /** Pushed and not yet let go. Readers look at `text` from `at` on and must read both anew after every `yield`. */
  text = ''
  at = 0
  ended = false
  /** Characters taken in, rereads included: what the law of linear work counts. */
  work = 0
  /** Of these, characters read again after a false start. */
  reread = 0
  /**
   * While a reader waits inside a long run (prose, a string value) it leaves this here: takes a whole chunk when nothing
   * in it needs a decision. Saves resuming the reader for every small piece; `bench/reader.ts` shows how much.
   */
  fast: ((chunk: string) => boolean) | undefined

  #base = 0
  #keptFrom = -1
  #kept: string[] = []
  #pieces: string[] = []
  #keptLength = 0

  /**
   * So much was read again that no more false starts are followed: rereading is for the odd one, and a model stuck in a
   * loop of them is taken at its word. This bounds the work for any text.
   */
  get isWeary(): boolean {
    return this.reread > 4 * (this.work - this.reread) + 4096
  }

  /** Position of the next character, counted from the start of the answer. */
  get position(): number {
    return this.#base + this.at
  }

  /** Takes a chunk in; true when `fast` dealt with all of it. */
  push(chunk: string): boolean {
    this.work += chunk.length
    if (this.fast !== undefined && this.at === this.text.length && this.fast(chunk)) {
      if (this.#keptFrom >= 0) {
        this.#store()
        this.#addKept(chunk)
      }
      if (this.at > 0) this.#forgetRead()
      this.#base += chunk.length
      return true
    }
    this.#store()
    this.#forgetRead()
    this.text = this.text === '' ? chunk : this.text + chunk
    return false
  }

  /** Lets go of what was read. */
  #forgetRead(): void {
    this.#base += this.at
    this.text = this.at === this.text.length ? '' : this.text.slice(this.at)
    this.at = 0
  }

  /** Keeps everything read from here on, so that it can be given back. Nested keeps extend the outer one. */
  keep(): number {
    if (this.#keptFrom < 0) this.#keptFrom = this.position
    return this.position
  }

  /** What was read since `position`, which must lie within the current keep. */
  since(position: number): string {
    this.#store()
    return this.#joinKept().slice(position - this.#keptFrom, this.position - this.#keptFrom)
  }

  letGo(): void {
    this.#keptFrom = -1
    this.#kept = []
    this.#pieces = []
    this.#keptLength = 0
  }

  /** Goes back to `position`, which must lie within the current keep. */
  rewind(position: number): void {
    const back = this.since(position)
    this.text = back + this.text.slice(this.at)
    this.#base = position
    this.at = 0
    this.work += back.length
    this.reread += back.length
    const kept = this.#joinKept().slice(0, position - this.#keptFrom)
    this.#kept = [kept]
    this.#keptLength = kept.length
  }

  /** Moves what was read and must be kept out of `text`. */
  #store(): void {
    if (this.#keptFrom < 0) return
    const from = this.#keptFrom + this.#keptLength - this.#base
    if (this.at <= from) return
    this.#addKept(this.text.slice(from, this.at))
  }

  /** Small pieces are joined into blocks: a long argument would leave the collector hundreds of thousands of them. */
  #addKept(piece: string): void {
    this.#keptLength += piece.length
    if (this.#pieces.push(piece) < piecesPerBlock) return
    this.#kept.push(this.#pieces.join(''))
    this.#pieces = []
  }

  /** All that is kept, as one string. */
  #joinKept(): string {
    const all = this.#kept.join('') + this.#pieces.join('')
    this.#kept = [all]
    this.#pieces = []
    return all
  }
}

/** Waits until there is a character to read; false at the end of the answer. */
export function* more(source: Source): Step<boolean> {
  while (source.at >= source.text.length) {
    if (source.ended) return false
    yield
  }
  return true
}

/** Waits like `more`, letting `fast` take whole chunks meanwhile. */
export function* moreOf(source: Source, fast: (chunk: string) => boolean): Step<boolean> {
  source.fast = fast
  const there = yield* more(source)
  source.fast = undefined
  return there
}

/** The next character's code without taking it, or -1 at the end. */
export function* peek(source: Source): Step<number> {
  if (source.at >= source.text.length && !(yield* more(source))) return -1
  return source.text.charCodeAt(source.at)
}

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** Skips white space; the next character's code, or -1 at the end. */
export function* skipSpace(source: Source): Step<number> {
  for (;;) {
    while (source.at < source.text.length) {
      const code = source.text.charCodeAt(source.at)
      if (!isSpace(code)) return code
      source.at++
    }
    if (!(yield* more(source))) return -1
  }
}

/** Whether `literal` stands next. Waits only as long as what is there could still become it. */
export function* stands(source: Source, literal: string): Step<boolean> {
  for (;;) {
    const have = source.text.length - source.at
    if (have >= literal.length) return source.text.startsWith(literal, source.at)
    if (source.ended || !literal.startsWith(source.text.slice(source.at))) return false
    yield
  }
}

/** Takes `literal` if it stands next. */
export function* take(source: Source, literal: string): Step<boolean> {
  if (!(yield* stands(source, literal))) return false
  source.at += literal.length
  return true
}

/** Takes the first of `literals` that stands next. */
export function* takeAny(source: Source, literals: readonly string[]): Step<string | undefined> {
  for (const literal of literals) if (yield* take(source, literal)) return literal
  return undefined
}

/**
 * Whether one of `literals` stands after white space, without taking anything: what is looked at stays unread.
 * Bounded by the white space there is.
 */
export function* standsAfterSpace(source: Source, literals: readonly string[], atEnd: boolean): Step<boolean> {
  let ahead = 0
  for (;;) {
    while (source.at + ahead < source.text.length && isSpace(source.text.charCodeAt(source.at + ahead))) ahead++
    const rest = source.text.slice(source.at + ahead)
    if (rest !== '' || source.ended) {
      if (rest === '') return atEnd
      if (literals.some((literal) => rest.startsWith(literal))) return true
      if (source.ended || !literals.some((literal) => literal.startsWith(rest))) return false
    }
    yield
  }
}
