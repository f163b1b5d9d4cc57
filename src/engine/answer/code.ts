import type { Reading } from '../context.ts'
import { hasMarkAt } from '../marks/marks.ts'
import { takeRun } from '../text/literals.ts'
import type { Step } from '../text/source.ts'
import { readUntil } from '../text/value.ts'
import { readFence, takeTicks } from './fence.ts'
import { readProvisional } from './provisional.ts'

const backtick = 96

/** Code: a fence that holds nothing but calls may be calls; all else between backticks is text, marks and all. */
export function* readCode(reading: Reading): Step<void> {
  const { source, transcript } = reading.context
  const start = source.position
  if (transcript.lineStart && (yield* readProvisional(reading, () => readFence(reading)))) return
  const isFence = transcript.lineStart
  const ticks = (yield* takeTicks(reading)) ?? ''
  transcript.text(ticks)
  if (ticks !== '') yield* readUntilCloses(reading, ticks.length, isFence && ticks.length >= 3)
  transcript.trace?.quote(start, (text, at) => hasMarkAt(reading.signs.calls, text, at, () => true))
}

/** Text up to the backticks that end the code: a fence at the start of a line, inline code before the line's end. */
function* readUntilCloses({ context }: Reading, ticks: number, isFence: boolean): Step<void> {
  const { source, transcript } = context
  yield* readUntil(
    source,
    isFence ? '`' : '`\n',
    function* () {
      if (source.text.charCodeAt(source.at) === 10) return true
      if (isFence && !transcript.lineStart) return false
      const run = (yield* takeRun(source, Infinity, (code) => code !== backtick)) ?? ''
      transcript.text(run)
      return isFence ? run.length >= ticks : run.length === ticks
    },
    (text) => transcript.text(text),
  )
}
