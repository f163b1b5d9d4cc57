import type { Event } from '../../../protocol/event.ts'
import type { InputChecks } from '../../inputs/checks.ts'
import type { Stage } from '../stage.ts'

/** Texts of custom tools that can be put right in one way only are. Their calls come whole. */
export function createInputMend(checks: InputChecks): Stage {
  let name = ''

  function passOne(event: Event): readonly Event[] {
    if (event.type === 'call-start') name = event.name
    if (event.type !== 'call-delta') return [event]
    const mended = checks.of(name)?.mend(event.json)
    if (mended === undefined) return [event]
    const { index } = event
    return [
      { ...event, json: mended },
      { type: 'note', kind: 'input_mended', detail: name, index },
    ]
  }

  return { push: (events) => events.flatMap(passOne) }
}
