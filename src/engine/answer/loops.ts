import type { Context } from '../context.ts'
import { lengthOfLoop } from '../text/repeated.ts'
import { moreOf, no } from '../text/running.ts'
import type { Step } from '../text/source.ts'
import { Heard, longest } from './heard.ts'

/** How far the readers look ahead of what they take: no mark is longer. */
const sight = 64
/** So many marks that were text make one wonder. */
const patience = 4
/** So much is passed at once where text comes in small pieces: all of it is kept meanwhile. */
const most = 8192

/** Where the text may begin to repeat itself. */
interface Place {
  readonly position: number
  readonly state: string
  /** What had been read in vain before it. */
  readonly spent: number
}

/**
 * A model in a loop says the same over and over. If all of it was text, from one place to where the same stands again and
 * whatever else decides is as it was, it is text the next time: it is passed without being read.
 */
export class Loop {
  readonly #context: Context
  #place: Place | undefined
  #met = 0
  #next = patience
  /** How far those met since the place looked ahead, and where the last of them stands. */
  #window = sight
  #last = 0

  constructor(context: Context) {
    this.#context = context
  }

  pass(): Step<boolean> {
    const { source, transcript } = this.#context
    const { heard } = transcript
    const place = this.#place
    const length = source.position - (place?.position ?? 0)
    this.#met++
    this.#window = Math.max(this.#window, source.reach - this.#last + sight)
    this.#last = source.position
    source.reach = source.position
    if (place !== undefined && heard?.text.length === length && length > 0 && this.#window <= longest) {
      const ahead = source.text.slice(source.at, source.at + length)
      if (heard.text.startsWith(ahead) && place.state === stateOf(this.#context)) return this.#pass(heard, place)
    }
    if (this.#met >= this.#next) {
      this.#next = 2 * this.#met
      this.#start(stateOf(this.#context))
      this.#window = sight
    }
    return no
  }

  #start(state: string): void {
    const { source, transcript } = this.#context
    this.#place = { position: source.position, state, spent: source.spent }
    transcript.heard = new Heard()
  }

  *#pass(heard: Heard, { state, spent }: Place): Step<boolean> {
    const { source, transcript } = this.#context
    const unit = heard.text
    const vain = source.spent - spent
    const start = source.mark()
    let said = 0
    let read = 0
    const pass = (length: number): void => {
      read += length
      // As far from the end as anybody looked ahead, it may be something else.
      const times = Math.floor((read - said - this.#window) / unit.length)
      if (times < 1) return
      heard.repeat(transcript, times)
      source.spend(times * vain)
      said += times * unit.length
    }
    const fast = (chunk: string): boolean => {
      const isAgain = said < most && lengthOfLoop(chunk, 0, unit, read) === chunk.length
      if (isAgain) pass(chunk.length)
      return isAgain
    }
    do {
      const length = lengthOfLoop(source.text, source.at, unit, read)
      source.at += length
      pass(length)
    } while (source.at === source.text.length && said < most && (yield* moreOf(source, fast)))
    source.goTo(start + said)
    source.release()
    // Nobody looked as far as was passed.
    this.#last = source.position
    source.reach = source.position
    this.#start(state)
    return said > 0
  }
}

/** What else than the text decides what a mark means: those that were shown decide what closers do. */
function stateOf({ transcript, message, shownMessage }: Context): string {
  const { lineStart, pauses, isInSentence, isQuoted, endsSentence, hasSpoken, afterCall, hasAside, shown } = transcript
  const place = [lineStart, pauses, isInSentence, isQuoted, endsSentence, hasSpoken, afterCall, hasAside]
  return [...place, transcript.completed > 0, shown.size, message !== undefined, typeof shownMessage].join()
}
