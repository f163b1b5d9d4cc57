import { expect, test } from 'vitest'
import type { Call } from '../../protocol/call.ts'
import { inUsualOrder, type Message } from '../../protocol/message.ts'
import { heal } from './heal.ts'

const call = (id: string, json = '{}', name = 'read'): Call => ({ id, kind: 'function', name, arguments: json })
const asks = (...calls: readonly Call[]): Message => ({ role: 'assistant', content: inUsualOrder({ calls }) })
const says = (content: string): Message => ({ role: 'assistant', content })
const result = (callId: string, content = 'done', name?: string): Message => ({
  role: 'tool',
  callId,
  content,
  ...(name !== undefined && { name }),
})
const user: Message = { role: 'user', content: 'Go.' }

test.each<[string, readonly Message[], readonly Message[]]>([
  ['a sound conversation stays', [user, asks(call('a')), result('a')], [user, asks(call('a')), result('a')]],
  ['an unfinished last call goes', [user, asks(call('a', '{"path": "/'))], [user]],
  [
    'an unfinished call goes, what was said with it stays',
    [user, { role: 'assistant', content: inUsualOrder({ content: 'Look.', calls: [call('a', '{"pa')] }) }, user],
    [user, says('Look.'), user],
  ],
  [
    'an unfinished call that was answered is shown as it was',
    [user, asks(call('a', '{"pa')), result('a', 'aborted')],
    [user, asks(call('a', JSON.stringify({ arguments: '{"pa' }))), result('a', 'aborted')],
  ],
  [
    'arguments encoded twice are unwrapped',
    [asks(call('a', JSON.stringify('{"path":"/a"}'))), result('a')],
    [asks(call('a', '{"path":"/a"}')), result('a')],
  ],
  ['no arguments are none', [asks(call('a', ' ')), result('a')], [asks(call('a', '{}')), result('a')]],
  [
    'a result of no call becomes words',
    [user, result('x', 'A file.')],
    [user, { role: 'user', content: 'Result of an earlier tool call:\nA file.' }],
  ],
  [
    'of two results of one call the later counts',
    [asks(call('a')), result('a', 'first'), result('a', 'second'), user],
    [asks(call('a')), result('a', 'second'), user],
  ],
  [
    'an empty second result does not count',
    [asks(call('a')), result('a', 'first'), result('a', '')],
    [asks(call('a')), result('a', 'first')],
  ],
  [
    'a call that was not answered is answered before the user goes on',
    [asks(call('a'), call('b')), result('b'), user],
    [asks(call('a'), call('b')), result('b'), result('a', '(no result: the call was not carried out)'), user],
  ],
  [
    'a result without an id answers the first call of its name',
    [asks(call('a', '{}', 'write'), call('b')), result('', 'B', 'read'), result('', 'A')],
    [asks(call('a', '{}', 'write'), call('b')), result('b', 'B', 'read'), result('a', 'A')],
  ],
  [
    'one id for two calls becomes two',
    [asks(call('a'), call('a')), result('a')],
    [asks(call('a'), call('a_2')), result('a')],
  ],
])('%s', (_, broken, healed) => {
  expect(heal(broken)).toEqual(healed)
})

test('what was healed needs no healing', () => {
  const broken = [result('x'), asks(call('a'), call('a', '{"')), result(''), result('a'), user, asks(call('b'))]
  expect(heal(heal(broken))).toEqual(heal(broken))
})
