import type { Event, FinishReason } from '../protocol/event.ts'
import { finishReason } from '../protocol/finish.ts'
import type { Trace } from '../protocol/trace/trace.ts'
import { readAnswer } from './answer/answer.ts'
import { Context, type Forms, finished, turned } from './context.ts'
import { signsFor } from './marks/signs.ts'
import type { Ending, ReaderOptions } from './options.ts'
import { run } from './text/running.ts'
import type { Step } from './text/source.ts'

/** Reads one answer. What a push returns is certain and never taken back. */
export interface Reader {
  push(text: string): readonly Event[]
  /**
   * The answer is over. The last event is its finish, unless it died: then the failure is the end. `called`: a call follows
   * that does not stand in the text.
   */
  end(how?: FinishReason | 'died' | 'called'): readonly Event[]
  /** Nothing further can matter: the upstream may be cancelled. */
  readonly done: boolean
  /** The dialect of the last call, once there is one. */
  readonly spoken: string | undefined
  /** Characters taken in, rereads included. */
  readonly work: number
}

/** A reader of the dialects it is given, with the forms these need and no others. */
export function createLeanReader(forms: Forms, options: ReaderOptions): Reader {
  return new LeanReader(forms, options)
}

class LeanReader implements Reader {
  done = false
  readonly #trace: Trace | undefined
  /** A character in two halves must not leave in two pieces. */
  #half = ''
  readonly #reading: Step<void>
  readonly #context: Context
  #unread = false
  /** What is unread is another turn. */
  #isOver = false

  constructor(forms: Forms, options: ReaderOptions) {
    const context = new Context(forms, options)
    const isAnyName = options.unknownTools === 'call'
    const signs = signsFor(options.dialect, options.others ?? [], context.names, isAnyName, forms.names)
    this.#context = context
    this.#trace = options.trace
    this.#reading = readAnswer(context, signs, options.startsIn)
    context.transcript.trace = options.trace
    options.trace?.follow(context.source)
    this.#resume()
  }

  get spoken(): string | undefined {
    return this.#context.spoken?.name
  }

  get work(): number {
    return this.#context.source.work
  }

  push(text: string): readonly Event[] {
    const trace = this.#trace
    trace?.push(text)
    if (this.done) {
      this.#unread ||= text.trim() !== ''
      return []
    }
    const { source, transcript } = this.#context
    const whole = this.#wholeOf(text)
    // What is told to a trace ends where the reader stands: nobody may read ahead of it.
    if (trace !== undefined) source.fast = undefined
    if (whole !== '' && !source.push(whole)) this.#resume()
    return transcript.takeEvents()
  }

  end(how: FinishReason | 'died' | 'called' = 'stop'): readonly Event[] {
    const context = this.#context
    const { source, transcript } = context
    const ending: Ending = how === 'tool_calls' ? 'stop' : how
    if (!this.done) {
      context.ending = ending
      if (this.#trace !== undefined) source.fast = undefined
      if (this.#half !== '') source.push(this.#half)
      source.end()
      while (!this.done) this.#resume()
    }
    if ((this.#unread && !this.#isOver) || context.hasDropped) transcript.note('cut_after_first_call')
    if (context.isFull) transcript.note('too_many_calls')
    // What stands before a call means what it would have meant had the call stood here.
    if (how === 'called') {
      transcript.afterCall = true
      transcript.dropAsides()
    }
    transcript.endText()
    const events = [...transcript.takeEvents()]
    if (how !== 'died' && how !== 'called') {
      const isCut = context.wasOpen || events.some((event) => event.type === 'call-error' && event.reason === 'cut-off')
      events.push({ type: 'finish', reason: finishReason(how, transcript.completed, isCut) })
    }
    return events
  }

  #wholeOf(text: string): string {
    const whole = this.#half === '' ? text : this.#half + text
    this.#half = ''
    const last = whole.charCodeAt(whole.length - 1)
    if (last < 0xd800 || last > 0xdbff) return whole
    this.#half = whole.slice(-1)
    return whole.slice(0, -1)
  }

  #resume(): void {
    try {
      if (run(this.#context.source, this.#reading).done === true) this.done = true
    } catch (thrown) {
      if (thrown !== finished && thrown !== turned) throw thrown
      this.done = true
      this.#isOver = thrown === turned
      this.#unread = this.#context.source.hasWordsAhead
    }
  }
}
