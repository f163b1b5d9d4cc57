import { describe, expect, test } from 'vitest'
import { inUsualOrder, type Message, type UserMessage } from '../../../protocol/message.ts'
import type { TemplateSettings } from '../../settings.ts'
import { normalise, type PromptMessage } from './normalise.ts'

const user = (content: UserMessage['content']): UserMessage => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content }) as const
const thoughtful = (content: string, reasoning: string): PromptMessage => ({ role: 'assistant', content, reasoning })
const thinking = (content: string, reasoning: string): Message => ({
  role: 'assistant',
  content: inUsualOrder({ content, reasoning }),
})
const system = (content: string): Message => ({ role: 'system', content })
const image = { type: 'image', url: 'data:image/png;base64,AA==' } as const

const plain: TemplateSettings = { system: true, alternate: false }
const strict: TemplateSettings = { system: false, alternate: true }

const cases: readonly {
  name: string
  system?: string
  spoken: readonly PromptMessage[]
  template?: TemplateSettings
  expected: readonly Message[]
}[] = [
  {
    name: 'the system text leads',
    system: 'Be brief.',
    spoken: [user('hi')],
    expected: [system('Be brief.'), user('hi')],
  },
  { name: 'no system text makes no system message', spoken: [user('hi')], expected: [user('hi')] },
  {
    name: 'neighbours of one role become one message with a blank line between',
    spoken: [user('a'), user('b'), assistant('c'), assistant('d')],
    expected: [user('a\n\nb'), assistant('c\n\nd')],
  },
  {
    name: 'an empty assistant message disappears and its neighbours meet',
    spoken: [user('a'), assistant(''), user('b')],
    expected: [user('a\n\nb')],
  },
  {
    name: 'reasoning of merged messages is kept',
    spoken: [user('a'), thoughtful('b', 'one'), thoughtful('c', 'two')],
    expected: [user('a'), thinking('b\n\nc', 'one\n\ntwo')],
  },
  {
    name: 'parts that are only words become a string',
    spoken: [
      user([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
    ],
    expected: [user('a\nb')],
  },
  {
    name: 'an image stays where it was said',
    spoken: [user('look'), user([{ type: 'text', text: 'here' }, image]), user('well?')],
    expected: [user([{ type: 'text', text: 'look\n\nhere' }, image, { type: 'text', text: 'well?' }])],
  },
  {
    name: 'a trailing assistant message stays where the template allows it',
    spoken: [user('a'), assistant('The answer is')],
    expected: [user('a'), assistant('The answer is')],
  },
  {
    name: 'without a system role its text goes before the first user message',
    system: 'Be brief.',
    spoken: [user('hi'), assistant('ho'), user('so?')],
    template: { system: false, alternate: false },
    expected: [user('Be brief.\n\nhi'), assistant('ho'), user('so?')],
  },
  {
    name: 'without a system role and with the assistant first, its text is a user message of its own',
    system: 'Be brief.',
    spoken: [assistant('Welcome.'), user('hi')],
    template: strict,
    expected: [user('Be brief.'), assistant('Welcome.'), user('hi')],
  },
  {
    name: 'strict alternation begins and ends with the user',
    spoken: [assistant('Welcome.'), user('hi'), assistant('The answer is')],
    template: { system: true, alternate: true },
    expected: [user('(continue)'), assistant('Welcome.'), user('hi'), assistant('The answer is'), user('(continue)')],
  },
  {
    name: 'a system text alone still gets a user message where one is demanded',
    system: 'Be brief.',
    spoken: [],
    template: { system: true, alternate: true },
    expected: [system('Be brief.'), user('(continue)')],
  },
]

describe('normalising messages', () => {
  test.each(cases)('$name', ({ system: text = '', spoken, template = plain, expected }) => {
    expect(normalise(text, spoken, template)).toEqual(expected)
  })
})
