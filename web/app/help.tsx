import { useEffect, useRef } from 'preact/hooks'
import { info } from '../data/store.ts'
import { inDigits, inSize, inTime } from '../text/words.ts'
import { isHelpOpen, shortcuts } from './keys.ts'

/** The keyboard, and what is recorded here. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isHelpOpen.value) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isHelpOpen.value])
  return (
    <dialog class="help" ref={dialog} onClose={() => (isHelpOpen.value = false)} aria-labelledby="help-title">
      <h2 id="help-title">Keyboard</h2>
      <dl class="keys">
        {shortcuts.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Recording />
      <button type="button" class="button" onClick={() => (isHelpOpen.value = false)}>
        Close
      </button>
    </dialog>
  )
}

function Recording() {
  const { value } = info
  if (value === undefined) return null
  const { version, recording } = value
  return (
    <>
      <h2>Recording</h2>
      <p>
        Dragoman {version}.{' '}
        {recording.store === 'off'
          ? 'Recording is switched off.'
          : `${inDigits(recording.entries)} exchanges and ${inSize(recording.bytes)} at most are kept ${recording.store === 'memory' ? 'in memory' : 'in a file'}${recording.retentionMs === undefined ? '' : ` for ${inTime(recording.retentionMs)}`}, ${recording.bodies ? 'with their texts' : 'without their texts'}.`}{' '}
        Keys and other secrets are hidden before anything is shown, exported or written to a file.
      </p>
    </>
  )
}
