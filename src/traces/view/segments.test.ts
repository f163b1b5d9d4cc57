import { expect, test } from 'vitest'
import type { Message } from '../../protocol/message.ts'
import { findSegments, type Sources } from './segments.ts'

const user = (content: string): Message => ({ role: 'user', content })
const system = (content: string): Message => ({ role: 'system', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const joiner = '\u2060'

/** The segments as words, message by message. */
function shown(sent: readonly Message[], sources: Partial<Sources>): readonly (readonly string[])[] {
  const found = findSegments(sent, { messages: [], taught: '', isRetold: true, ...sources })
  return found.map((segments, place) =>
    segments.map(({ kind, from, to }) => `${kind}: ${String(sent[place]?.content).slice(from, to)}`),
  )
}

test.each<[string, readonly Message[], Partial<Sources>, readonly (readonly string[])[]]>([
  ['the words of the client are nobody else’s', [user('Hi')], { messages: [user('Hi')] }, [[]]],
  [
    'what teaches and what is wished stand beside them',
    [system('Be kind.\n\nTools: x\n\nCall one.')],
    { messages: [system('Be kind.')], taught: 'Tools: x' },
    [['taught: Tools: x', 'added: Call one.']],
  ],
  [
    'a system text that went into a user message',
    [user('Be kind.\n\nTools: x\n\nHi')],
    { messages: [system('Be kind.'), user('Hi')], taught: 'Tools: x' },
    [['taught: Tools: x']],
  ],
  [
    'calls and results that were told in words',
    [assistant('Here:\n\n<call/>'), user('<result>42</result>\n\nAnd?')],
    {
      messages: [{ role: 'assistant', content: 'Here:' }, { role: 'tool', callId: 'c', content: '42' }, user('And?')],
    },
    [['history: <call/>'], ['history: <result>', 'history: </result>']],
  ],
  [
    'marks that were broken, and a joiner the client wrote itself',
    [user(`a <${joiner}b> c${joiner}${joiner} d`)],
    { messages: [user(`a <b> c${joiner} d`)] },
    [[`neutralised: <${joiner}`, `neutralised: c${joiner}${joiner}`]],
  ],
  [
    'the same words twice are taken in order',
    [user('Hi'), assistant('Hi'), user('Hi there')],
    { messages: [user('Hi'), assistant('Hi'), user('Hi there')] },
    [[], [], []],
  ],
  [
    'words the teaching quotes are the teaching’s',
    [system('Say path.')],
    { messages: [user('path')], taught: 'Say path.' },
    [['taught: Say path.']],
  ],
  ['white space is no change', [user(' Hi \n\n')], { messages: [user('Hi')] }, [[]]],
  [
    'without a history in words, the rest was added',
    [user('Hi [image omitted]')],
    { messages: [user('Hi')], isRetold: false },
    [['added: [image omitted]']],
  ],
])('%s', (_, sent, sources, expected) => {
  expect(shown(sent, sources)).toEqual(expected)
})
