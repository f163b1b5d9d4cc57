import type { Event, FinishReason } from '../protocol/event.ts'
import { finishReason } from '../protocol/finish.ts'
import type { Writable } from '../protocol/writable.ts'
import { readAnswer } from './answer/answer.ts'
import { Context, type Ending, type Forms, finished, type ReaderOptions } from './context.ts'
import { signsFor } from './marks/signs.ts'
import { run } from './text/running.ts'
import type { Step } from './text/source.ts'

/** Reads one answer. What a push returns is certain and never taken back. */
export interface Reader {
  push(text: string): readonly Event[]
  /** The answer is over. The last event is its finish, unless it died: then the failure is the end. */
  end(how?: FinishReason | 'died'): readonly Event[]
  /** Nothing further can matter: the upstream may be cancelled. */
  readonly done: boolean
  /** The dialect of the last call, once there is one. */
  readonly spoken: string | undefined
  /** Characters taken in, rereads included. */
  readonly work: number
}

/** A reader of the dialects it is given, with the forms these need and no others. */
export function createLeanReader(forms: Forms, options: ReaderOptions): Reader {
  const context = new Context(forms, options)
  const { source, transcript } = context
  const isAnyName = options.unknownTools === 'call'
  const signs = signsFor(options.dialect, options.others ?? [], context.names, isAnyName, forms.names)
  const reading: Step<void> = readAnswer(context, signs, options.startsIn)
  const { trace } = options
  transcript.trace = trace
  trace?.follow(source)
  let unread = false
  /** A character in two halves must not leave in two pieces. */
  let half = ''

  function resume(): void {
    try {
      if (run(source, reading).done === true) reader.done = true
    } catch (thrown) {
      if (thrown !== finished) throw thrown
      reader.done = true
      unread = source.hasWordsAhead
    }
  }

  const reader: Writable<Reader> = {
    done: false,
    spoken: undefined,
    work: 0,
    push(text) {
      trace?.hear(text)
      if (reader.done) {
        unread ||= text.trim() !== ''
        return []
      }
      let whole = half === '' ? text : half + text
      half = ''
      const last = whole.charCodeAt(whole.length - 1)
      if (last >= 0xd800 && last <= 0xdbff) {
        half = whole.slice(-1)
        whole = whole.slice(0, -1)
      }
      // What is told to a trace ends where the reader stands: nobody may read ahead of it.
      if (trace !== undefined) source.fast = undefined
      if (whole !== '' && !source.push(whole)) resume()
      tell()
      return transcript.takeEvents()
    },

    end(how = 'stop') {
      const ending: Ending = how === 'tool_calls' ? 'stop' : how
      if (!reader.done) {
        context.ending = ending
        if (trace !== undefined) source.fast = undefined
        if (half !== '') source.push(half)
        source.end()
        while (!reader.done) resume()
        tell()
      }
      if (unread || context.hasDropped) transcript.note('cut_after_first_call')
      transcript.endText()
      const events = [...transcript.takeEvents()]
      if (how !== 'died')
        events.push({ type: 'finish', reason: finishReason(how, transcript.completed, isCut(events)) })
      return events
    },
  }
  resume()
  return reader

  function tell(): void {
    reader.spoken = context.spoken?.name
    reader.work = source.work
  }

  function isCut(last: readonly Event[]): boolean {
    return context.wasOpen || last.some((event) => event.type === 'call-error' && event.reason === 'cut-off')
  }
}
