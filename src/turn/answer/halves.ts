import type { Reader } from '../../engine/reader.ts'
import { asFunctions, customNames, fromCustomArguments } from '../../protocol/custom.ts'
import type { Note } from '../../protocol/event.ts'
import type { Request } from '../../protocol/request.ts'
import type { Approach } from '../plan.ts'
import { callableTools } from '../prompt/force/force.ts'
import type { Prepared } from '../prompt/prepare.ts'
import { createHold } from './events/hold.ts'
import { NativeHalf } from './native/half.ts'
import { createNativeCalls, nativeOptions } from './native/native.ts'
import { createQuotedCalls, type QuotedCalls } from './quoted/quoted.ts'
import { TextHalf } from './text/half.ts'
import { createPrefill } from './text/prefill.ts'
import { createThoughtReader, createTurnReader } from './text/reader.ts'
import { createStopCut } from './text/stop.ts'
import { createLoop, type Loop } from './watch/loop.ts'
import { type CallWatch, createCallWatch } from './watch/watch.ts'

/** Makes what the words of one answer go through, and its native calls, by what was asked. */
export class Halves {
  readonly #request: Request
  readonly #approach: Approach
  readonly #prepared: Prepared
  readonly #newId: () => string
  readonly #quoted: QuotedCalls
  readonly #custom: ReadonlySet<string>
  readonly #loop: Loop

  constructor(request: Request, approach: Approach, prepared: Prepared, newId: () => string) {
    this.#request = request
    this.#approach = approach
    this.#prepared = prepared
    this.#newId = newId
    this.#quoted = createQuotedCalls(request, asFunctions(callableTools(request)))
    this.#custom = customNames(approach.mode === 'prompt' ? request.tools : [])
    this.#loop = createLoop(request.messages)
  }

  /** What the conversation says about calls before the answer begins. */
  get known(): Note | undefined {
    return this.#loop.known
  }

  forText(): TextHalf {
    const { guard, request } = this.#prepared
    const isPrompt = this.#approach.mode === 'prompt'
    return new TextHalf({
      reader: isPrompt ? createTurnReader(this.#request, this.#approach, this.#newId, this.#quoted) : undefined,
      restore: guard.createRestore(),
      pipe: createHold(
        (name) => this.#isWhole(name),
        (name, json) => (this.#custom.has(name) ? fromCustomArguments(json) : json),
      ),
      watch: this.#createWatch(),
      stop: createStopCut(this.#request.stop ?? []),
      prefill: createPrefill(request.prefill ?? ''),
    })
  }

  /** For calls the service makes itself. */
  forNative(): NativeHalf {
    return new NativeHalf({
      calls: createNativeCalls(nativeOptions(this.#request, this.#newId)),
      restore: this.#prepared.guard.createRestore(),
      watch: this.#createWatch(),
      pipe: createHold(
        (name) => this.#isWhole(name),
        (_, json) => json,
      ),
    })
  }

  /** For calls that are looked for in thoughts. */
  forThoughts(): Reader {
    return createThoughtReader(this.#request, this.#approach, this.#newId, this.#quoted)
  }

  #createWatch(): CallWatch {
    return createCallWatch(this.#request, this.#loop, this.#approach.settings.loop)
  }

  #isWhole(name: string): boolean {
    return this.#approach.settings.arguments === 'whole' || this.#custom.has(name)
  }
}
