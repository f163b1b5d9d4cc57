import type { Clock } from '../../clock.ts'
import type { Growth } from '../../traces/api.ts'
import type { Recorder } from '../../traces/recorder.ts'
import type { Recording } from '../../traces/recording/recording.ts'
import { createMask } from '../../traces/telling/redact.ts'
import { toExchange, toSummary } from '../../traces/telling/tell.ts'
import { headersOf, type Visit } from '../visit.ts'

const beatMs = 15_000
/** How often somebody who watches is told what is new. */
const tellEveryMs = 100
/** A watcher who does not read this much is let go, and may come again. */
const mostUnreadBytes = 8 << 20

export interface Live {
  /** Every exchange that begins or changes, as summaries. */
  followAll(visit: Visit): void
  /** One exchange, as it grows. */
  followOne(visit: Visit, id: string): void
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
  function follow(visit: Visit, tell: () => News, onClose: () => void): void {
    const { response, request } = visit
    response.writeHead(200, {
      ...headersOf(visit),
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
      else cancel = clock.after(tellEveryMs, step)
    }
    ends.add(end)
    response.once('close', end)
    if (request.method === 'HEAD') return end()
    response.write(': live\n\n')
    step()
  }

  return {
    followAll(visit) {
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
      follow(visit, tell, stop)
    },
    followOne(visit, id) {
      const recording = recorder.underWay(id)
      const growth = recording && createGrowth(recording)
      const tell = (): News => {
        if (growth !== undefined && recording?.ending === undefined) return { words: growth.tell() }
        const told = recording === undefined ? recorder.find(id)?.exchange : toExchange(recording)
        return { words: told === undefined ? '' : print('exchange', told), isOver: true }
      }
      follow(visit, tell, () => undefined)
    },
    close() {
      for (const end of ends) end()
    },
  }
}

/** What was added to an exchange since it was last told of; all of it first, and whenever a service is asked. */
function createGrowth(recording: Recording): { tell(): string } {
  const mask = createMask(recording.beginning.secrets)
  let asked = -1
  let said = { text: 0, thoughts: 0, beats: 0 }
  let got = { body: 0, text: 0, thoughts: 0, beats: 0 }

  function measure(): { readonly said: typeof said; readonly got: typeof got } {
    const last = recording.hearsays.at(-1)
    const { gotBody, gotText, gotThoughts, gotBeats } = recording
    return {
      said: { text: last?.text.kept ?? 0, thoughts: last?.thoughts.kept ?? 0, beats: last?.beats.count ?? 0 },
      got: { body: gotBody.kept, text: gotText.kept, thoughts: gotThoughts.kept, beats: gotBeats.count },
    }
  }

  function difference(now: ReturnType<typeof measure>): Growth | undefined {
    const last = recording.hearsays.at(-1)
    const hasSaid =
      last !== undefined && Object.values(now.said).some((value, n) => value > (Object.values(said)[n] ?? 0))
    const hasGot = Object.values(now.got).some((value, n) => value > (Object.values(got)[n] ?? 0))
    if (!hasSaid && !hasGot) return undefined
    return {
      attempt: recording.hearsays.length - 1,
      ...(hasSaid && {
        said: {
          text: mask(last.text.text).slice(said.text),
          thoughts: mask(last.thoughts.text).slice(said.thoughts),
          pieces: last.beats.list().slice(said.beats),
        },
      }),
      ...(hasGot && {
        got: {
          body: mask(recording.gotBody.text).slice(got.body),
          text: mask(recording.gotText.text).slice(got.text),
          thoughts: mask(recording.gotThoughts.text).slice(got.thoughts),
          calls: recording.gotCalls.map(({ json, ...call }) => ({ ...call, arguments: mask(json.text) })),
          pieces: recording.gotBeats.list().slice(got.beats),
        },
      }),
    }
  }

  return {
    tell() {
      const now = measure()
      // What was taken back cannot be told as growth.
      const isAnew = asked !== recording.hearsays.length || now.said.text < said.text
      const words = isAnew ? print('exchange', toExchange(recording)) : printGrowth(difference(now))
      asked = recording.hearsays.length
      said = now.said
      got = now.got
      return words
    },
  }
}

function printGrowth(growth: Growth | undefined): string {
  return growth === undefined ? '' : print('grown', growth)
}

/** JSON has no line breaks of its own, so an event is one line. */
function print(event: string, value: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`
}
