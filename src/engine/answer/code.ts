import type { Reading } from '../context.ts'
import { hasMarkAt } from '../marks/marks.ts'
import { takeRun } from '../text/literals.ts'
import type { Step } from '../text/source.ts'
import { readUntil } from '../text/value.ts'
import { backtick, type Tick, takeTicks } from './fence.ts'

/** Code that is no calls: what is in a fence or between backticks is text, marks and all. */
export function* readCode(reading: Reading, tick: Tick): Step<void> {
  const { source, transcript } = reading.context
  const start = source.position
  const { lineStart } = transcript
  const ticks = (yield* takeTicks(reading, tick)) ?? ''
  transcript.text(ticks)
  const isFence = lineStart && ticks.length >= 3
  if (isFence || (ticks !== '' && tick === backtick)) yield* readUntilCloses(reading, ticks, isFence)
  transcript.trace?.quote(start, (text, at) => hasMarkAt(reading.signs.calls, text, at, () => true))
}

/** Text up to what ends the code: a fence at the start of a line, inline code before the line's end. */
function* readUntilCloses({ context }: Reading, ticks: string, isFence: boolean): Step<void> {
  const { source, transcript } = context
  const tick = ticks.charCodeAt(0)
  yield* readUntil(
    source,
    isFence ? ticks.charAt(0) : '`\n',
    function* () {
      if (source.text.charCodeAt(source.at) === 10) return true
      if (isFence && !transcript.lineStart) return false
      const run = (yield* takeRun(source, Infinity, (code) => code !== tick)) ?? ''
      transcript.text(run)
      return isFence ? run.length >= ticks.length : run.length === ticks.length
    },
    (text) => transcript.text(text),
  )
}
