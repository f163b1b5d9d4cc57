import { describe, expect, test } from 'vitest'
import { inUsualOrder, type Message } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'
import { collect, context, createScripted, fold, type Script, says, toRequest, turnsOver } from './scripted.ts'

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' }, from: { type: 'integer' } } },
}
const other: Tool = { ...read, name: 'list' }
const user = (content: string): Message => ({ role: 'user', content })

let made = 0
function called(name: string, json: string, after: readonly Message[] = []): readonly Message[] {
  const id = `c${++made}`
  return [
    { role: 'assistant', content: inUsualOrder({ calls: [{ id, kind: 'function', name, arguments: json }] }) },
    { role: 'tool', callId: id, content: 'nothing' },
    ...after,
  ]
}
const again = called('read', '{"path": "/a", "from": 1}')
const respelt = called('read', '{"from":1,"path":"/a"}')
const spoken: Message = { role: 'assistant', content: 'Done.' }

const ways: Readonly<Record<'native' | 'prompt', (...calls: (readonly [string, string])[]) => Script>> = {
  prompt: (...calls) =>
    says(
      `Once more.\n${calls
        .map(([name, json]) => `<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`)
        .join('\n')}`,
      7,
    ),
  native: (...calls) => [
    [{ type: 'text', text: 'Once more.' }],
    ...calls.map(([name, json], index) => [{ type: 'call', index, id: `n${index}`, name, json } as const]),
    [{ type: 'finish', reason: 'tool_calls' }],
  ],
}
const same = ['read', '{"path": "/a", "from": 1}'] as const
const elsewhere = ['read', '{"path": "/b", "from": 1}'] as const

async function answer(
  way: keyof typeof ways,
  history: readonly Message[],
  script: Script,
  settings: Partial<ModelSettings> = {},
) {
  const upstream = createScripted([script, script])
  const turns = turnsOver(upstream, { dialect: 'hermes', tools: way, ...settings })
  const request = toRequest([user('Read it.'), ...history], { tools: [read, other] })
  const events = await collect(await turns.start(request, context))
  return {
    upstream,
    loops: events.flatMap((event) => (event.type === 'note' && event.kind === 'loop' ? [event.detail] : [])),
    ...fold(events),
  }
}

describe.each(Object.keys(ways) as (keyof typeof ways)[])('the same call again, %s', (way) => {
  const say = ways[way]

  test.each<[string, readonly Message[], Script, readonly string[]]>([
    ['the second time', again, say(same), []],
    ['the third time', [...again, ...again], say(same), ['read, 3 times in a row']],
    ['however it is spelt', [...again, ...respelt], say(same), ['read, 3 times in a row']],
    [
      'with words of the agent in between',
      [...again, user('env'), ...again, user('env')],
      say(same),
      ['read, 3 times in a row'],
    ],
    ['with another call in between', [...again, ...called('list', '{}'), ...again], say(same), []],
    ['with other arguments', [...again, ...again], say(elsewhere), []],
    ['after an answer', [...again, ...again, spoken, user('Again!')], say(same), []],
    ['three times at once', [], say(same, same, same), ['read, 3 times in a row']],
    [
      'known from the conversation alone',
      [...again, ...again, ...again],
      says('I give up.'),
      ['read, 3 times in a row'],
    ],
  ])('%s', async (_, history, script, loops) => {
    expect(await answer(way, history, script)).toMatchObject({ loops })
  })

  const pair = () => {
    const [a, b] = [`p${++made}`, `p${++made}`]
    return [
      {
        role: 'assistant',
        content: inUsualOrder({
          calls: [
            { id: a, kind: 'function', name: 'read', arguments: same[1] },
            { id: b, kind: 'function', name: 'list', arguments: '{}' },
          ],
        }),
      },
      { role: 'tool', callId: a, content: 'nothing' },
      { role: 'tool', callId: b, content: 'nothing' },
    ] satisfies readonly Message[]
  }
  const list = ['list', '{}'] as const

  test.each<[string, readonly Message[], Script, readonly string[]]>([
    ['the second time', pair(), say(same, list), []],
    ['the third time', [...pair(), ...pair()], say(same, list), ['2 calls at once, 3 times in a row']],
    ['with another among them', [...pair(), ...pair()], say(same, elsewhere), []],
    ['with one more', [...pair(), ...pair()], say(same, list, elsewhere), []],
    ['known already', [...pair(), ...pair(), ...pair()], says('Well.'), ['2 calls at once, 3 times in a row']],
  ])('several at once, %s', async (_, history, script, loops) => {
    const told = await answer(way, history, script)
    expect(told).toMatchObject({ loops })
    const stopped = await answer(way, history, script, { loop: 'stop' })
    const isStopped = loops.length > 0 && told.calls.length > 0
    expect(stopped).toMatchObject({ loops, calls: isStopped ? [] : told.calls, text: told.text })
    expect(stopped.finish).toBe(isStopped ? 'stop' : told.finish)
  })

  test('is only told of by default, and made', async () => {
    const { calls, finish } = await answer(way, [...again, ...again], say(same))
    expect(calls).toHaveLength(1)
    expect(finish).toBe('tool_calls')
  })

  test('ends the turn with the text so far where the settings say so', async () => {
    const stopped = await answer(way, [...again, ...again], say(same, elsewhere), { loop: 'stop' })
    expect(stopped).toMatchObject({ text: 'Once more.', calls: [], finish: 'stop' })
    expect(stopped.notes).toEqual(expect.arrayContaining(['loop', 'loop_stopped']))
    expect(stopped.upstream.signals[0]?.aborted).toBe(true)
  })

  test('ends the turn and is not asked for again', async () => {
    const { upstream, finish } = await answer(way, [...again, ...again], say(same), { loop: 'stop', repair: 2 })
    expect(upstream.asked).toHaveLength(1)
    expect(finish).toBe('stop')
  })

  test('does not end a turn in which the model does something else', async () => {
    const other = await answer(way, [...again, ...again], say(elsewhere), { loop: 'stop' })
    expect(other).toMatchObject({ calls: [{ arguments: elsewhere[1] }], finish: 'tool_calls', loops: [] })
  })
})
