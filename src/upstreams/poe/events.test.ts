import { expect, test } from 'vitest'
import type { UpstreamEvent } from '../upstream.ts'
import { createBotText } from './events.ts'

const add = (text: string) => ({ add: text })
const replace = (text: string) => ({ replace: text })
type Said = Readonly<Partial<Record<'add' | 'replace', string>>>

/** What leaves of a bot's text that comes in these reads, and what was thrown. */
function hear(reads: readonly (readonly Said[])[]) {
  const bot = createBotText()
  const told: string[] = []
  let thrown: unknown
  try {
    for (const read of [...reads, undefined]) {
      const events: UpstreamEvent[] = []
      for (const { add: more, replace: other } of read ?? [])
        if (more === undefined) bot.replace(other ?? '')
        else bot.add(more)
      if (read === undefined) bot.end(events)
      else bot.settle(events)
      for (const event of events) if (event.type === 'text') told.push(event.text)
    }
  } catch (failure) {
    thrown = failure
  }
  return { told, thrown }
}

test.each<[string, readonly (readonly Said[])[], readonly string[]]>([
  ['that goes on from what was said', [[add('Let me')], [replace('Let me see.')]], ['Let me', ' see.']],
  ['of what came in the same read', [[add('Thinking…'), replace('Sunny')], [add('.')]], ['Sunny.']],
  ['of several in the same read', [[add('One'), replace('Two'), add('x'), replace('One more')]], ['One more']],
  [
    'of a line that counts seconds',
    [[replace('Thinking (1s)')], [replace('Thinking (2s)')], [replace('')], [add('Sunny')], [add('.')]],
    ['Sunny', '.'],
  ],
  ['that is all there is', [[replace('Thinking (1s)')], [replace('Sunny.')]], ['Sunny.']],
  ['that grows', [[replace('Su')], [replace('Sunny')], [replace('Sunny.')]], ['Sunny.']],
  [
    'that comes to what has left in small steps',
    [[add('Well, yes')], [replace('')], [add('Well')], [add(', ye')], [add('s, sunny.')]],
    ['Well, yes', ', sunny.'],
  ],
  [
    'of one that has not come to what has left',
    [[add('Well, yes')], [replace('')], [add('We')], [replace('')], [add('Well, yes.')]],
    ['Well, yes', '.'],
  ],
])('a replacement %s is followed', (_, reads, told) => {
  const heard = hear(reads)
  expect(heard.thrown).toBeUndefined()
  expect(heard.told.join('')).toBe(told.join(''))
})

test.each<[string, readonly (readonly Said[])[], readonly string[]]>([
  ['of what has left', [[add('Thinking…')], [replace('Sunny.')]], ['Thinking…']],
  ['shorter than what has left', [[add('Sunny, I think.')], [replace('Sunny')]], ['Sunny, I think.']],
  [
    'of one that has not come to what has left, by something else,',
    [[add('Well, yes')], [add('!')], [replace('')], [add('We')], [replace('Well, no')]],
    ['Well, yes', '!'],
  ],
])('a replacement %s is a failure', (_, reads, told) => {
  expect(hear(reads)).toMatchObject({ told, thrown: { code: 'upstream_error' } })
})
