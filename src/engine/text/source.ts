import { Pieces } from './pieces.ts'

/**
 * A step of reading: it yields when it has used up what is at hand and wants more, and returns when it knows. Readers are
 * written as plain sequential code over this; because they can stop at any character, how the text was cut cannot matter.
 */
export type Step<T> = IterableIterator<undefined, T, undefined>

/** Thrown by a reading that turns out to be none; nothing has been said of it yet. */
export const refuted = Symbol('refuted')

const longestHead = 1024
/** How much may be read in vain: at first, at the least, and for each character before. */
const freeReread = 65_536
const leastReread = 64
const rereadPerCharacter = 4

/**
 * The text of one answer as it arrives. It is a list of chunks with a cursor: going back moves the cursor and copies
 * nothing. Readers look at the chunk at hand, `text` from `at` on, and must read both anew after every `yield`.
 */
export class Source {
  text = ''
  at = 0
  /** Characters taken in, read again or copied: what the law of linear work counts. */
  work = 0
  /**
   * While a reader waits inside a long run (prose, a string value) it leaves this here: takes a whole chunk when nothing
   * in it needs a decision. Saves resuming the reader for every small piece; `bench/reader.ts` shows how much.
   */
  fast: ((chunk: string) => boolean) | undefined
  /** Readings that run apart from whoever waits for them, the innermost last. */
  readonly apart: Apart[] = []
  /** The answer is over, though part of it may be read again. */
  isOver = false
  /** What was read in vain so far. */
  spent = 0
  /** Where `text` begins, counted from the start of the answer. */
  #base = 0
  /** Readings under way that may go back; what was read since the first of them is kept. */
  #marks = 0
  readonly #behind = new Pieces()
  /** After going back: the chunks that follow, the nearest last. */
  readonly #ahead: string[] = []
  #falseStarts = 0
  #limit = Infinity
  /** The last white space that was passed over: whoever looks over it again need not look at it again. */
  #spaceFrom = 0
  #spaceTo = 0

  /** Nothing comes after what is at hand. */
  get ended(): boolean {
    return (this.isOver && this.#ahead.length === 0) || this.isAtLimit
  }

  end(): void {
    this.isOver = true
  }

  /** Up to so many characters of what is there and unread. */
  ahead(length: number): string {
    let text = this.text.slice(this.at, this.at + length)
    for (let i = this.#ahead.length - 1; i >= 0 && text.length < length; i--)
      text += this.#ahead[i]?.slice(0, length - text.length) ?? ''
    return text
  }

  /** Something other than white space is there and unread. */
  get hasWordsAhead(): boolean {
    return [this.text.slice(this.at), ...this.#ahead].some((text) => text.trim() !== '')
  }

  /** Position of the next character, counted from the start of the answer. */
  get position(): number {
    return this.#base + this.at
  }

  /** Takes a chunk in; true when nobody need be resumed for it. */
  push(chunk: string): boolean {
    this.work += chunk.length
    const isWithin = this.position + chunk.length <= this.#limit
    if (isWithin && this.fast !== undefined && this.at === this.text.length && this.fast(chunk)) {
      if (this.#marks > 0) {
        if (this.at > 0) this.#behind.push(this.text)
        this.#behind.push(chunk)
      }
      this.#base += this.at + chunk.length
      if (this.at > 0) {
        this.text = ''
        this.at = 0
      }
      return true
    }
    this.#ahead.unshift(chunk)
    this.advance()
    return false
  }

  /** Brings the next chunk to hand, if it is there already: readings that went back come to the rest again. */
  advance(): boolean {
    const room = this.#limit - this.#base - this.text.length
    const next = room > 0 ? this.#ahead.pop() : undefined
    if (next === undefined) return false
    const most = this.at === this.text.length ? room : Math.min(room, longestHead)
    if (next.length > most) this.#ahead.push(next.slice(most))
    this.#join(next.length > most ? next.slice(0, most) : next)
    return true
  }

  #join(next: string): void {
    if (this.at === this.text.length) {
      if (this.#marks > 0) this.#behind.push(this.text)
      this.#base += this.at
      this.text = next
    } else {
      if (this.#marks > 0) this.#behind.push(this.text.slice(0, this.at))
      this.#base += this.at
      const rest = this.text.slice(this.at)
      this.work += rest.length
      this.text = rest + next
    }
    this.at = 0
  }

  /** From here on text is kept, until `release`: the reading that begins may go back. */
  mark(): number {
    this.#marks++
    return this.position
  }

  release(): void {
    if (--this.#marks === 0) this.#behind.clear()
  }

  /** Moves to a position within what is kept or at hand. */
  goTo(position: number): void {
    if (position < this.position) this.work += this.position - position
    if (position < this.#base && this.text !== '') this.#ahead.push(this.text)
    while (position < this.#base) {
      const block = this.#behind.pop()
      if (block === '') throw new Error('gone')
      this.#base -= block.length
      if (position < this.#base) this.#ahead.push(block)
      else this.text = block
    }
    // What lies beyond a limit is not there.
    for (let isThere = true; isThere && position > this.#base + this.text.length; isThere = this.advance())
      this.at = this.text.length
    this.at = Math.min(position - this.#base, this.text.length)
  }

  /** What was read since a position that is kept, or up to another. */
  since(position: number, end = this.position): string {
    const length = this.position - position
    this.work += length
    if (length <= this.at) return this.text.slice(this.at - length, this.at - this.position + end)
    const read = this.#behind.tail(length - this.at) + this.text.slice(0, this.at)
    return read.slice(0, end - position)
  }

  /**
   * How far a reading that begins at `start` and is not certain may go. All that is read in vain is at most a few times the
   * text; each long false start leaves the next less to spend, but every one may look at what stands next to it.
   */
  #allowance(start: number): number {
    return Math.max(leastReread, rereadPerCharacter * start - this.spent + freeReread / 2 ** this.#falseStarts)
  }

  /** Whether a reading that began at `start` may yet turn out to be in vain. */
  mayGoOn(start: number): boolean {
    return this.position - start <= this.#allowance(start)
  }

  /** What begins at `start` is not certain yet: it sees no more of the text than may be read in vain. Gives the limit before. */
  limit(start: number): number {
    const before = this.#limit
    // A header may have taken more than that already.
    const least = this.position + leastReread
    this.#limit = Math.min(before, Math.max(least, start + Math.floor(this.#allowance(start))))
    const room = this.#limit - this.#base
    if (room >= this.text.length) return before
    this.#ahead.push(this.text.slice(room))
    this.text = this.text.slice(0, room)
    return before
  }

  /** It is certain, or given up: the limit is what it was. */
  unlimit(before: number): void {
    this.#limit = before
  }

  /** No more may be seen of it. */
  get isAtLimit(): boolean {
    return this.#base + this.text.length >= this.#limit
  }

  /** So much was read in vain. */
  spend(length: number): void {
    this.spent += length
    if (length > leastReread) this.#falseStarts++
  }

  /** A reading that began at `start` was in vain. */
  giveUp(start: number): void {
    this.spend(this.position - start)
    this.goTo(start)
  }

  /** Passes over white space at hand; true when something else stands next. */
  passSpace(): boolean {
    if (this.at < this.text.length && !isSpace(this.text.charCodeAt(this.at))) return true
    const from = this.position
    if (from >= this.#spaceFrom && from < this.#spaceTo) this.goTo(this.#spaceTo)
    else if (from !== this.#spaceTo) this.#spaceFrom = from
    this.at = endOfSpace(this.text, this.at)
    this.#spaceTo = this.position
    return this.at < this.text.length
  }
}

/** A reading that runs apart from whoever waits for it, and what it came to. */
export interface Apart {
  readonly reading: Step<unknown>
  settle: () => unknown
}

/** Where white space that begins at `from` ends, at `to` at the latest. */
export function endOfSpace(text: string, from: number, to = text.length): number {
  let at = from
  while (at < to && isSpace(text.charCodeAt(at))) at++
  return at
}

/** Where the next word begins, if that is near and at hand; else where what is at hand ends. */
export function nextWord(text: string, from: number): number {
  const end = Math.min(text.length, from + nearby)
  const at = endOfSpace(text, from, end)
  return at < end ? at : text.length
}

const nearby = 64

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}
