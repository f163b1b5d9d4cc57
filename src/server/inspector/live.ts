import type { Clock } from '../../clock.ts'
import type { Growth } from '../../traces/api.ts'
import type { Beat } from '../../traces/exchange.ts'
import type { Recorder } from '../../traces/recorder.ts'
import type { Recording } from '../../traces/recording/recording.ts'
import { toExchange, toSummary } from '../../traces/view/exchange-view.ts'
import { createMask } from '../../traces/view/redact.ts'
import { headersOf, type RequestContext } from '../request-context.ts'

const beatMs = 15_000
/** How often watchers get what is new. */
const pushEveryMs = 100
/** A watcher who does not read this much is let go, and may come again. */
const mostUnreadBytes = 8 << 20

export interface Live {
  /** Every exchange that begins or changes, as summaries. */
  followAll(context: RequestContext): void
  /** One exchange, as it grows. */
  followOne(context: RequestContext, id: string): void
  /** Ends all that is followed. */
  close(): void
}

interface News {
  readonly words: string
  /** There will be no more. */
  readonly isOver?: boolean
}

/** What changes is gathered for a moment and told at once, so that it costs the same however much happens. */
export function createLive(recorder: Recorder, clock: Clock): Live {
  const ends = new Set<() => void>()

  /** An event stream; `tell` is called again and again, until it is over. */
  function follow(context: RequestContext, tell: () => News, onClose: () => void): void {
    const { response, request } = context
    response.writeHead(200, {
      ...headersOf(context),
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    })
    let cancel: (() => void) | undefined
    let beatenAt = clock.now()
    const end = (): void => {
      cancel?.()
      ends.delete(end)
      onClose()
      response.end()
    }
    const step = (): void => {
      const { words, isOver = false } = tell()
      const isDue = clock.now() - beatenAt >= beatMs
      if (isDue) beatenAt = clock.now()
      const text = words + (isDue ? ': ping\n\n' : '')
      if (text !== '') response.write(text)
      if (isOver) return end()
      if (response.writableLength > mostUnreadBytes) response.destroy()
      else cancel = clock.after(pushEveryMs, step)
    }
    ends.add(end)
    response.once('close', end)
    if (request.method === 'HEAD') return end()
    response.write(': live\n\n')
    step()
  }

  return {
    followAll(context) {
      const changed = new Set<Recording>()
      const stop = recorder.watch((recording) => changed.add(recording))
      const others = recorder.followOthers()
      const tell = (): News => {
        const own = [...changed].map((recording) => toSummary(recording))
        changed.clear()
        // Of those that are told already, nothing is new.
        const told = new Set(own.map(({ id }) => id))
        const more = others?.().filter(({ id }) => !told.has(id)) ?? []
        return { words: [...own, ...more].map((summary) => print('summary', summary)).join('') }
      }
      follow(context, tell, stop)
    },
    followOne(context, id) {
      const recording = recorder.underWay(id)
      const growth = recording && createGrowth(recording)
      const tell = (): News => {
        if (growth !== undefined && recording?.ending === undefined) return { words: growth.tell() }
        const told = recording === undefined ? recorder.find(id)?.exchange : toExchange(recording)
        return { words: told === undefined ? '' : print('exchange', told), isOver: true }
      }
      follow(context, tell, () => undefined)
    },
    close() {
      for (const end of ends) end()
    },
  }
}

/** What was added to an exchange since it was last told of; all of it first, and whenever a service is asked. */
function createGrowth(recording: Recording): { tell(): string } {
  const { texts, gotBody, gotText, gotThoughts, gotBeats, attempts } = recording
  const mask = createMask(recording.beginning.secrets)
  /** How much was told of each list and text, by its name. */
  let told = new Map<string, number>()
  let asked = -1

  function moreOf(name: string, ref: number): string {
    const text = texts[ref]?.text ?? ''
    const from = told.get(name) ?? 0
    told.set(name, text.length)
    return from === text.length ? '' : mask(text).slice(from)
  }

  function moreBeats(name: string, beats: readonly Beat[]): readonly Beat[] {
    const from = told.get(name) ?? 0
    told.set(name, beats.length)
    return beats.slice(from)
  }

  function difference(): Growth | undefined {
    const last = attempts.at(-1)
    const said = last && {
      text: moreOf('said text', last.text),
      thoughts: moreOf('said thoughts', last.thoughts),
      pieces: moreBeats('said', last.beats),
    }
    const got = {
      body: moreOf('body', gotBody),
      text: moreOf('text', gotText),
      thoughts: moreOf('thoughts', gotThoughts),
      pieces: moreBeats('got', gotBeats),
    }
    const isMore = (of: object): boolean => Object.values(of).some((one: { readonly length: number }) => one.length > 0)
    const hasSaid = said !== undefined && isMore(said)
    if (!hasSaid && !isMore(got)) return undefined
    const calls = recording.gotCalls.map(({ json, ...call }) => ({ ...call, arguments: mask(texts[json]?.text ?? '') }))
    return { attempt: attempts.length - 1, ...(hasSaid && { said }), ...(isMore(got) && { got: { ...got, calls } }) }
  }

  return {
    tell() {
      if (asked === attempts.length) {
        const growth = difference()
        return growth === undefined ? '' : print('grown', growth)
      }
      asked = attempts.length
      told = new Map()
      difference()
      return print('exchange', toExchange(recording))
    },
  }
}

/** JSON has no line breaks of its own, so an event is one line. */
function print(event: string, value: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`
}
