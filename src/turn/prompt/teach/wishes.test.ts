import { expect, test } from 'vitest'
import type { ToolChoice } from '../../../protocol/tool.ts'
import { hearWishes } from '../../../rehearsal/hearing/wishes.ts'
import { sayWishes } from './wishes.ts'

const choices: readonly (ToolChoice | undefined)[] = [
  undefined,
  { mode: 'required' },
  { mode: 'named', name: 'mcp__files-list' },
  { mode: 'allowed', names: ['read'], required: false },
  { mode: 'allowed', names: ['read', 'x-y'], required: true },
]

test.each(choices.flatMap((choice) => [true, false].map((onlyOne) => ({ choice, onlyOne }))))(
  'wishes are heard as they were said: $choice, only one: $onlyOne',
  ({ choice, onlyOne }) => {
    const said = sayWishes(choice, onlyOne)
    const heard = { ...(choice && { choice }), onlyOne }
    expect(hearWishes(said)).toEqual({ ...heard, rest: '' })
    expect(hearWishes(`\n\n${said}\n\nRead a. Then b.`)).toEqual({ ...heard, rest: 'Read a. Then b.' })
  },
)
