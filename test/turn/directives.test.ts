import { expect, test } from 'vitest'
import type { ToolChoice } from '../../src/protocol/tool.ts'
import { printDirectives } from '../../src/turn/prompt/teach/teach.ts'
import { readWishes } from '../doubles/teaching/directives.ts'

const choices: readonly (ToolChoice | undefined)[] = [
  undefined,
  { mode: 'required' },
  { mode: 'named', name: 'mcp__files-list' },
  { mode: 'allowed', names: ['read'], required: false },
  { mode: 'allowed', names: ['read', 'x-y'], required: true },
]

test.each(choices.flatMap((choice) => [true, false].map((onlyOne) => ({ choice, onlyOne }))))(
  'directives are heard as they were said: $choice, only one: $onlyOne',
  ({ choice, onlyOne }) => {
    const said = printDirectives(choice, onlyOne)
    const heard = { ...(choice && { choice }), onlyOne }
    expect(readWishes(said)).toEqual({ ...heard, rest: '' })
    expect(readWishes(`\n\n${said}\n\nRead a. Then b.`)).toEqual({ ...heard, rest: 'Read a. Then b.' })
  },
)
