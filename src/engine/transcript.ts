import { Events } from './events.ts'
import { endsWords } from './marks/marks.ts'
import { endOfSpace, isSpace } from './text/source.ts'

/** `.`, `:`, `;`, `!` and `?`. */
const pauseMarks = [46, 58, 59, 33, 63]
/** What was said last, where a quotation begins: these open one wherever they stand, straight quotes where none can end. */
const opensQuotation = /[“„‘‚«‹「『《]$|(?:^|[\s([{:=,|])["']$/u
/** The beginning of a quoted line, and the bar before a cell of a table. */
const [quotes, bar] = [62, 124]

/** Before what a mark means nothing. */
type Before = 'call' | 'thought' | 'end'

/** A mark that is set aside; `to` is where it ended, for the trace. */
interface Aside {
  readonly mark: string
  readonly before: Before
  readonly to: number | undefined
}

/** A mark that means nothing before one of these means nothing before those that follow it here, either. */
const order: readonly Before[] = ['end', 'thought', 'call']

/**
 * What was said in one answer, as it becomes certain. White space, and marks that may be words, are kept back until it is
 * known whether words or a call follow them.
 */
export class Transcript extends Events {
  /** Nothing but white space has been said since the last call. */
  afterCall = false
  /** There were words. */
  hasSpoken = false
  /** How often there were. */
  said = 0
  /** The last thing said ended a line, or nothing was said yet. */
  lineStart = true
  /** Marks that turned out to be words, and open what a closing tag may close. */
  readonly shown = new Set<string>()
  /** White space, and marks set aside, that may turn out to stand before words or before a call. */
  #space = ''
  #asides: Aside[] = []
  /** The last character said that is no white space, and the one before it. */
  #last = 0
  #beforeLast = 0
  /** The first one of its line, and whether it is the only one so far. */
  #first = 0
  #isOnly = false
  #thoughtSpace = ''
  /** The thought under way has words. */
  #isThinking = false

  text(run: string): void {
    if (run === '') return
    this.trace?.tell('text', run.length)
    let end = run.length
    while (end > 0 && isSpace(run.charCodeAt(end - 1))) end--
    if (end === 0) {
      this.#space += run
      if (run.includes('\n')) this.lineStart = true
      return
    }
    const words = end === run.length ? run : run.slice(0, end)
    const said = this.#space === '' ? words : this.#takeSpace() + words
    // Between a call and the words after it white space means something only if it keeps them apart from words before it.
    this.say('text-delta', this.afterCall && !this.hasSpoken ? said.slice(endOfSpace(said, 0)) : said)
    this.hasSpoken = true
    this.said++
    if (this.#asides.length > 0) this.#sayAsides()
    // Most pieces of an answer have no newline, and looking for the last one costs more than to see that: bench/reader.ts.
    const line = words.includes('\n') ? words.lastIndexOf('\n') + 1 : 0
    this.#isOnly = false
    if (line > 0 || this.lineStart) {
      const first = endOfSpace(words, line)
      this.#first = words.charCodeAt(first)
      this.#isOnly = first === end - 1
    }
    this.lineStart = false
    this.afterCall = false
    if (end < run.length) {
      const space = run.slice(end)
      this.#space += space
      this.lineStart = space.includes('\n')
    }
    const beforeLast = end > 1 ? words.charCodeAt(end - 2) : said.charCodeAt(said.length - 2)
    this.#beforeLast = said.length > 1 ? beforeLast : this.#last
    this.#last = words.charCodeAt(end - 1)
  }

  #takeSpace(): string {
    const space = this.#space
    this.#space = ''
    return space
  }

  /** A mark that is words if words follow it, and means nothing before a call or, for some, before a thought or the end. */
  aside(mark: string, before: Before): void {
    this.#space += mark
    const to = this.trace?.aside(mark.length)
    this.#asides.push({ mark, before, to })
  }

  #sayAsides(): void {
    for (const { mark } of this.#asides) this.shown.add(mark)
    this.#asides = []
  }

  get hasAside(): boolean {
    return this.#asides.length > 0
  }

  /** The last of the marks that wait for what follows. */
  get lastAside(): string {
    return this.#asides.at(-1)?.mark ?? ''
  }

  /** The marks that were waiting for this mean nothing. */
  dropAsides(before: Before = 'call'): void {
    if (this.#asides.length === 0) return
    const text = this.#takeSpace()
    const kept: Aside[] = []
    let from = 0
    let end = 0
    for (const aside of this.#asides) {
      const { mark, to } = aside
      const start = text.indexOf(mark, end)
      end = start + mark.length
      if (order.indexOf(aside.before) > order.indexOf(before)) kept.push(aside)
      else {
        this.#space += text.slice(from, start)
        from = end
        if (to !== undefined) this.trace?.dropAside(to, mark.length)
        this.note('mark_dropped', mark)
      }
    }
    this.#space += text.slice(from)
    this.#asides = kept
  }

  /** What comes next stands apart from words, as far as its faint marks ask for that. */
  get isApart(): boolean {
    return this.lineStart || this.#space !== '' || endsWords(this.#last)
  }

  /** The last words ended a sentence, or led up to something, and a blank follows them. A key's colon is none such. */
  get pauses(): boolean {
    return this.#space !== '' && pauseMarks.includes(this.#last) && this.#beforeLast !== 34 && this.#beforeLast !== 39
  }

  /** The last character ended a sentence: `.`, `!` or `?`. */
  get endsSentence(): boolean {
    return this.#space === '' && (this.#last === 46 || this.#last === 33 || this.#last === 63)
  }

  /** A word and a blank, or what may do without: the end of a sentence, and scripts that have none. */
  get isInSentence(): boolean {
    const isWord = this.#space !== '' && /[\w*-]/.test(String.fromCharCode(this.#last))
    return isWord || this.#last > 127 || this.endsSentence
  }

  /** What stands here is quoted: a quotation mark was just opened, or it begins a quoted line, or a cell of a table. */
  get isQuoted(): boolean {
    if (this.lineStart) return false
    const before = this.#beforeLast === 0 ? '' : String.fromCharCode(this.#beforeLast)
    if (this.#space === '') return opensQuotation.test(before + String.fromCharCode(this.#last))
    return this.#first === bar ? this.#last === bar : this.#first === quotes && this.#isOnly
  }

  thought(text: string): void {
    this.trace?.tell('reasoning', text.length)
    const run = this.#isThinking ? text : text.slice(endOfSpace(text, 0))
    this.#isThinking ||= run !== ''
    let end = run.length
    while (end > 0 && isSpace(run.charCodeAt(end - 1))) end--
    if (end > 0) this.say('reasoning-delta', this.#thoughtSpace + run.slice(0, end))
    this.#thoughtSpace = (end > 0 ? '' : this.#thoughtSpace) + run.slice(end)
  }

  /** White space around a thought means nothing. */
  endThought(): void {
    this.trace?.pass()
    this.#thoughtSpace = ''
    this.#isThinking = false
  }

  /** Lets go of white space that only led up to a mark, or something else, that is not words. */
  dropLeadingSpace(): void {
    this.trace?.pass()
    if (this.hasSpoken) return
    this.dropAsides('thought')
    if (!this.hasAside) this.#space = ''
  }

  override endCall(): void {
    super.endCall()
    this.afterCall = true
    this.lineStart = true
    this.dropAsides()
  }

  /** The white space before the call is part of its text again. False when nobody had been told of it: it is all text. */
  failCall(raw: string, reason: string): boolean {
    if (this.forgetCall()) {
      this.text(raw)
      if (reason === 'unreadable') this.note('call_unreadable')
      return false
    }
    this.trace?.fail(raw.length, this.calls - 1, reason)
    this.addFailure(this.#takeSpace() + raw, reason)
    this.afterCall = false
    this.hasSpoken = true
    this.#asides = []
    return true
  }

  /** From here on nothing leaves until `release` or `drop`. */
  hold(): void {
    const { afterCall, hasSpoken, lineStart } = this
    const asides = this.#asides
    const space = this.#space
    this.#asides = [...asides]
    this.holdBack(() => {
      Object.assign(this, { afterCall, hasSpoken, lineStart })
      this.#space = space
      this.#asides = asides
    })
  }

  /** The last white space of an answer that ended in words belongs to them. */
  endText(): void {
    this.dropAsides('end')
    if ((!this.afterCall || this.hasAside) && this.#space !== '') this.say('text-delta', this.#takeSpace())
    this.#space = ''
  }
}
