import { expect, onTestFinished, test } from 'vitest'
import { createRandomId } from '../../src/random-id.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import { findFaults } from '../agents/never.ts'
import { answer, ending, event, json, raw, type Script } from '../doubles/openai-compat.ts'
import { startBoth } from '../doubles/openai-upstream.ts'
import { ask, run } from './scripted.ts'

const tools = ['read', 'write'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { path: { type: 'string' } } } },
}))
const body = { model: 'm', messages: [{ role: 'user', content: 'Do it.' }], tools }

function piece(delta: object, finish: string | null = null): string {
  return event({ choices: [{ index: 0, delta, finish_reason: finish }] })
}
const call = (fields: object) => piece({ tool_calls: [{ index: 0, ...fields }] })
const begun = { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path": "a"}' } }
const done = 'data: [DONE]\n\n'
const end = piece({}, 'tool_calls') + done
const said = (text: string) => answer({ text })
const hermes = (name: string, json: string) => `<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`

type Way = 'native' | 'prompt'

/** What docs/clients.md says is sent all the same, because nothing else would be true. */
const unavoidable = {
  unknownTool: [/^14: the client has no tool/],
  unfinished: [/^15: finish_reason (?:stop|length) with calls/, /^14: arguments that are no JSON object/],
  unmet: [/^16: no call although/],
}

/** What a service or its model may do to provoke each row of the table in docs/clients.md, and what the client must not see. */
const provocations: readonly [
  row: number,
  what: string,
  way: Way,
  script: Script,
  changes?: object | undefined,
  allowed?: keyof typeof unavoidable,
][] = [
  [1, 'no finish reason before [DONE]', 'native', raw(piece({ content: 'Hi' }) + done)],
  [1, 'an unknown finish reason', 'native', raw(piece({ content: 'Hi' }) + piece({}, 'eos') + done)],
  [1, 'an empty finish reason', 'native', raw(piece({ content: 'Hi' }) + piece({}, '') + done)],
  [2, 'tool_calls without a call', 'native', answer({ text: 'Hi', finish: 'tool_calls' })],
  [3, 'no id', 'native', raw(call({ ...begun, id: undefined }) + end)],
  [3, 'an empty id', 'native', raw(call({ ...begun, id: '' }) + end)],
  [3, 'an id that is null', 'native', raw(call({ ...begun, id: null }) + end)],
  [4, 'the same id twice', 'native', raw(call(begun) + call({ ...begun, index: 1 }) + end)],
  [
    4,
    'an id of an earlier turn',
    'native',
    raw(call({ ...begun, id: 'call_0' }) + end),
    {
      messages: [
        ...body.messages,
        {
          role: 'assistant',
          tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'read', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_0', content: 'x' },
      ],
    },
  ],
  [
    5,
    'no index',
    'native',
    raw(call({ ...begun, index: undefined }) + call({ index: undefined, ...begun, id: 'call_b' }) + end),
  ],
  [5, 'the same index for two calls', 'native', raw(call(begun) + call({ ...begun, id: 'call_b' }) + end)],
  [5, 'an index from 1', 'native', raw(call({ ...begun, index: 1 }) + end)],
  [
    6,
    'arguments that are an object',
    'native',
    raw(call({ ...begun, function: { name: 'read', arguments: { path: 'a' } } }) + end),
  ],
  [
    7,
    'no type, no index of the choice, no role',
    'native',
    raw(event({ choices: [{ delta: { tool_calls: [{ index: 0, ...begun, type: undefined }] } }] }) + end),
  ],
  [
    8,
    'a name in every delta',
    'native',
    raw(
      call({ ...begun, function: { name: 'read', arguments: '{"path"' } }) +
        call({ function: { name: 'read', arguments: ': "a"}' } }) +
        end,
    ),
  ],
  [
    8,
    'a name in pieces',
    'native',
    raw(call({ ...begun, function: { name: 're' } }) + call({ function: { name: 'ad', arguments: '{}' } }) + end),
  ],
  [
    9,
    'events that are no chunks',
    'native',
    raw(`event: ping\ndata: {"type": "ping"}\n\n${piece({ content: 'Hi' })}${piece({}, 'stop')}${done}`),
  ],
  [
    10,
    'a JSON body',
    'native',
    json({
      id: 'x',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    }),
  ],
  [11, 'an error in words', 'native', raw(`${piece({ content: 'Hi' })}data: {"error": "it broke"}\n\n`)],
  [12, 'a connection that breaks in a text', 'native', ending(raw(piece({ content: 'Hi' })), 'drop')],
  [12, 'an end without [DONE]', 'native', raw(piece({ content: 'Hi' }) + piece({}, 'stop'))],
  [13, 'only a thought', 'native', answer({ reasoning: 'Hm.', text: [] })],
  [13, 'only marks', 'prompt', said('<tool_call></tool_call>')],
  [
    14,
    'a tool that was not offered',
    'native',
    raw(call({ ...begun, function: { name: 'launch', arguments: '{}' } }) + end),
    undefined,
    'unknownTool',
  ],
  [14, 'a tool that was not offered', 'prompt', said(hermes('launch', '{}')), undefined, 'unknownTool'],
  [
    14,
    'arguments that are no object',
    'native',
    raw(call({ ...begun, function: { name: 'read', arguments: '"a"' } }) + end),
  ],
  [14, 'arguments that are no object', 'prompt', said(hermes('read', '"a"'))],
  [
    14,
    'arguments that are no JSON',
    'native',
    raw(call({ ...begun, function: { name: 'read', arguments: '{"path": a b' } }) + end),
    undefined,
    'unfinished',
  ],
  [14, 'arguments that are no JSON', 'prompt', said(hermes('read', '{"path": a b')), undefined, 'unfinished'],
  [15, 'stop with a call', 'native', raw(call(begun) + piece({}, 'stop') + done)],
  [15, 'length with a whole call', 'native', raw(call(begun) + piece({}, 'length') + done)],
  [15, 'length with a whole call', 'prompt', answer({ text: hermes('read', '{}'), finish: 'length' })],
  [15, 'content_filter with a call', 'native', raw(call(begun) + piece({}, 'content_filter') + done)],
  [16, 'a call against none', 'native', raw(call(begun) + end), { tool_choice: 'none' }],
  [16, 'a call against none', 'prompt', said(hermes('read', '{}')), { tool_choice: 'none' }],
  [16, 'no call against required', 'native', said('No.'), { tool_choice: 'required' }, 'unmet'],
  [16, 'no call against required', 'prompt', said('No.'), { tool_choice: 'required' }, 'unmet'],
  [17, 'empty arguments', 'native', raw(call({ ...begun, function: { name: 'read', arguments: '' } }) + end)],
  [17, 'no arguments', 'native', raw(call({ ...begun, function: { name: 'read' } }) + end)],
  [
    17,
    'a call cut off before its arguments',
    'native',
    raw(call({ ...begun, function: { name: 'read', arguments: '' } }) + piece({}, 'length') + done),
  ],
  [
    17,
    'a call cut off in its arguments',
    'native',
    raw(call({ ...begun, function: { name: 'read', arguments: '{"pa' } }) + piece({}, 'length') + done),
    undefined,
    'unfinished',
  ],
  [
    17,
    'a call cut off in its arguments',
    'prompt',
    answer({ text: '<tool_call>\n{"name": "read", "arguments": {"pa', finish: 'length' }),
    undefined,
    'unfinished',
  ],
]

const cases = provocations.flatMap(([row, what, way, script, changes = {}, allowed]) =>
  [true, false].map((stream) => ({ row, what, way, script, changes, allowed, stream })),
)

test.each(cases)('row $row: $what ($way, stream $stream)', async ({ way, stream, script, changes, allowed }) => {
  const { upstream } = await startBoth([script])
  const turns = createTurns({
    upstreams: new Map([['local', upstream]]),
    models: [{ ...defaultSettings('m', ['local']), tools: way, dialect: 'hermes' }],
    newId: () => createRandomId('call_'),
  })
  const { gateway, port } = await run({ turns })
  onTestFinished(() => gateway.close())
  const asked = { ...body, stream, ...changes }
  const { status, headers, text } = await ask(port, { body: asked, headers: { 'content-type': 'application/json' } })
  const faults = findFaults([
    {
      method: 'POST',
      path: '/v1/chat/completions',
      asked,
      userAgent: '',
      status,
      headers: headers as Record<string, string>,
      answered: text,
      aborted: false,
      startedMs: 0,
      endedMs: 1,
    },
  ]).map((fault) => fault.replace('answer 1: ', ''))
  const known = allowed === undefined ? [] : unavoidable[allowed]
  expect(faults.filter((fault) => !known.some((shape) => shape.test(fault)))).toEqual([])
})
