import type { Reader } from '../../../engine/reader.ts'
import type { Event } from '../../../protocol/event.ts'
import type { Hold } from '../events/hold.ts'
import type { CallWatch } from '../watch/watch.ts'
import type { Prefill } from './prefill.ts'
import { type Restore, unchanged } from './restore.ts'
import type { StopCut } from './stop.ts'

type Parts = Omit<TextHalf, 'pass' | 'isClear' | 'wordsOf'>

/** What the words of an answer go through; what a service takes back goes through another. */
export class TextHalf {
  readonly reader: Reader | undefined
  readonly restore: Restore
  readonly pipe: Hold
  readonly watch: CallWatch
  readonly stop: StopCut
  /** The beginning that was decided for the model: the reader must see it, once. */
  readonly prefill: Prefill

  constructor({ reader, restore, pipe, watch, stop, prefill }: Parts) {
    this.reader = reader
    this.restore = restore
    this.pipe = pipe
    this.watch = watch
    this.stop = stop
    this.prefill = prefill
  }

  /** What becomes of what was read. */
  pass(events: readonly Event[]): readonly Event[] {
    return this.stop.pass(this.watch.pass(this.pipe.pass(this.restore(events))))
  }

  /** Nothing waits, is open or is looked for: words would leave as they are. */
  isClear(): boolean {
    const { prefill, restore, stop, pipe, watch } = this
    return prefill.isSettled && restore === unchanged && stop.isIdle && pipe.isIdle() && watch.isIdle()
  }

  /** The words that are made of a text, and those that wait, of one that has heard nothing yet: how it was cut makes no difference. */
  wordsOf(text: string): string {
    const said = this.prefill.push(text) + this.prefill.end()
    const read: readonly Event[] =
      this.reader === undefined
        ? [{ type: 'text-delta', text: said }]
        : [...this.reader.push(said), ...this.reader.end('died')]
    return [...this.pass(read), ...this.stop.end()]
      .map((event) => (event.type === 'text-delta' ? event.text : ''))
      .join('')
  }
}
