import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { findIn } from '../../text/find.ts'
import { sight } from '../../text/payload.tsx'

/** How the texts of the panes are looked at: find, invisible characters, cut points. */
export function Toolbar({ shown }: { readonly shown: unknown }) {
  return (
    <div class="toolbar" role="toolbar" aria-label="How texts are shown">
      <FindBox shown={shown} />
      <button
        type="button"
        class="button plain"
        aria-pressed={sight.invisibles.value}
        title="Show blanks, line ends and invisible characters"
        onClick={() => (sight.invisibles.value = !sight.invisibles.value)}
      >
        ·⏎ <span class="wide-only">Invisibles</span>
      </button>
      <button
        type="button"
        class="button plain"
        aria-pressed={sight.cuts.value}
        title="Show where the pieces of the stream end"
        onClick={() => (sight.cuts.value = !sight.cuts.value)}
      >
        ⌇ <span class="wide-only">Cuts</span>
      </button>
    </div>
  )
}

function FindBox({ shown }: { readonly shown: unknown }) {
  const needle = useSignal('')
  const found = useRef<ReturnType<typeof findIn> | undefined>(undefined)
  const count = useSignal(0)
  const nth = useSignal(0)
  useEffect(() => {
    sight.unfolded.value = needle.value !== ''
    // What was folded is on the page one frame later.
    const frame = requestAnimationFrame(() => {
      found.current = findIn([...document.querySelectorAll('.pane-body')], needle.value)
      count.value = found.current.count
      nth.value = 0
      found.current.show(0)
    })
    return () => cancelAnimationFrame(frame)
  }, [needle.value, shown, count, nth])
  useEffect(
    () => () => {
      sight.unfolded.value = false
      findIn([], '')
    },
    [],
  )
  return (
    <label class="find">
      <span class="hidden-label">Find in the panes</span>
      <input
        class="field find-field"
        type="search"
        placeholder="Find in the panes"
        value={needle.value}
        onInput={(event) => (needle.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || count.value === 0) return
          nth.value = (nth.value + (event.shiftKey ? count.value - 1 : 1)) % count.value
          found.current?.show(nth.value)
        }}
      />
      <span class="muted small find-count" role="status">
        {needle.value === '' ? '' : count.value === 0 ? 'nothing' : `${nth.value + 1} of ${count.value}`}
      </span>
    </label>
  )
}
