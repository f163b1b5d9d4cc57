import { signal, useSignal } from '@preact/signals'
import { memo } from 'preact/compat'
import { toGlyphs, toSafeGlyphs } from './invisible.ts'
import { lit } from './lit.ts'
import { foldOf, type Mark, type Run, toRuns } from './runs.ts'

/** How texts are looked at, everywhere at once. */
export const sight = {
  invisibles: signal(false),
  cuts: signal(false),
  /** While something is searched for, nothing is folded. */
  unfolded: signal(false),
}

interface PayloadProps {
  readonly text: string
  readonly marks?: readonly Mark[]
  /** Where the pieces it came in end, as positions. */
  readonly cuts?: readonly number[] | undefined
}

const none: readonly Mark[] = []

/** Text as it is: never markup. Labels are drawn by the style sheet, so that selecting and copying give the text alone. */
export const Payload = memo(({ text, marks = none, cuts }: PayloadProps) => (
  <pre class="payload">
    {toRuns(text, marks).map((run) => (
      <Stretch key={run.from} run={run} cuts={sight.cuts.value ? cuts : undefined} />
    ))}
  </pre>
))

interface StretchProps {
  readonly run: Run
  readonly cuts: readonly number[] | undefined
}

function Stretch({ run, cuts }: StretchProps) {
  const { mark, text, from, isBlock, followsBlock } = run
  const isOurs = mark?.kind === 'changed'
  const content = followsBlock ? (
    <>
      <span class="swallowed">
        <Visible text={'\n'} />
      </span>
      <Foldable text={text.slice(1)} from={from + 1} cuts={cuts} isOurs={isOurs} />
    </>
  ) : (
    <Foldable text={text} from={from} cuts={cuts} isOurs={isOurs} />
  )
  if (mark === undefined) return content
  const { kind, call, label, why } = mark
  const isLit = call !== undefined && lit.call.value === call
  return (
    <>
      <span
        class={`run ${kind}${isBlock ? ' block' : ''}${isLit ? ' lit' : ''}`}
        data-label={label}
        data-call={call}
        title={why}
        onMouseEnter={call === undefined ? undefined : () => lit.enter(call)}
        onMouseLeave={call === undefined ? undefined : lit.leave}
      >
        {content}
      </span>
      {why !== undefined && isBlock && <span class={`why ${kind}`} data-why={why} />}
    </>
  )
}

interface FoldableProps {
  readonly text: string
  readonly from: number
  readonly cuts: readonly number[] | undefined
}

function Foldable({ text, from, cuts, isOurs }: FoldableProps & { readonly isOurs: boolean }) {
  const isOpen = useSignal(false)
  const fold = isOpen.value || sight.unfolded.value ? undefined : foldOf(text, isOurs ? 'ours' : 'theirs')
  if (fold === undefined) return <Characters text={text} from={from} cuts={cuts} />
  const { head, lines, tail } = fold
  return (
    <>
      <Characters text={head} from={from} cuts={cuts} />
      <button type="button" class="fold" onClick={() => (isOpen.value = true)}>
        {`${lines} more lines`}
      </button>
      <Characters text={tail} from={from + text.length - tail.length} cuts={cuts} />
    </>
  )
}

function Characters({ text, from, cuts }: FoldableProps) {
  if (cuts === undefined) return <Visible text={text} />
  const inside = cuts.filter((cut) => cut > from && cut <= from + text.length)
  const starts = [from, ...inside]
  return (
    <>
      {starts.map((start, i) => (
        <span key={start} class={i < inside.length ? 'cut' : undefined}>
          <Visible text={text.slice(start - from, (inside[i] ?? from + text.length) - from)} />
        </span>
      ))}
    </>
  )
}

export function Visible({ text }: { readonly text: string }) {
  const glyphs = sight.invisibles.value ? toGlyphs(text) : toSafeGlyphs(text)
  return (
    <>
      {glyphs.map(({ text: piece, shown }, i) =>
        shown === undefined ? (
          piece
        ) : (
          <span key={i} class="unseen" data-shown={shown}>
            {piece}
          </span>
        ),
      )}
    </>
  )
}
