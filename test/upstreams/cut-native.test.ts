import { expect, test } from 'vitest'
import { type Answer, answer, event, json, raw, type Script } from '../doubles/openai-compat.ts'
import { eventsOf, startStage, weather } from './stage.ts'

const usage = { prompt_tokens: 7, completion_tokens: 5 }
const native = { model: { tools: 'native' as const } }

/** The same answer as a stream and as one body. */
function bothWays(content: Answer): readonly (readonly [string, Script])[] {
  const { text, calls = [], finish = 'tool_calls' } = content
  const made = calls.map(({ name, arguments: json }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { ...(name !== '' && { name }), arguments: json },
  }))
  const message = { role: 'assistant', content: text ?? null, tool_calls: made }
  return [
    ['streamed', answer(content)],
    ['whole', json({ object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage })],
  ]
}

const cut = { name: 'get_weather', arguments: '{"city": "Par' }
const whole = { name: 'get_weather', arguments: '{"city": "Paris"}' }

const cases: readonly [string, Answer, object][] = [
  [
    'a call that was cut off stays readable, with its name, apart from the words before it',
    { text: 'Let me look.', calls: [cut], finish: 'length' },
    { finish_reason: 'length', message: { content: 'Let me look.\n\nget_weather {"city": "Par' } },
  ],
  [
    'a call that was cut off and is all there is',
    { calls: [cut], finish: 'length' },
    { finish_reason: 'length', message: { content: 'get_weather {"city": "Par' } },
  ],
  [
    'a call that was cut off before its arguments',
    { calls: [{ name: 'get_weather', arguments: '' }], finish: 'length' },
    { finish_reason: 'length', message: { content: 'get_weather' } },
  ],
  [
    'a call that was cut off after a whole one',
    { calls: [whole, cut], finish: 'length' },
    { finish_reason: 'length', message: { content: 'get_weather {"city": "Par', tool_calls: [{ function: whole }] } },
  ],
  [
    'a call without a name keeps its arguments',
    { text: 'Hm.', calls: [{ name: '', arguments: '{"city": "Paris"}' }] },
    { finish_reason: 'stop', message: { content: 'Hm.\n\n{"city": "Paris"}' } },
  ],
  [
    'whole calls that the limit did not touch are calls',
    { text: 'Let me look.', calls: [whole, whole], finish: 'length' },
    {
      finish_reason: 'tool_calls',
      message: { content: 'Let me look.', tool_calls: [{ function: whole }, { function: whole }] },
    },
  ],
]

test.each(
  cases.flatMap(([name, content, expected]) => bothWays(content).map((way) => [name, ...way, expected] as const)),
)('%s (%s)', async (_, __, script, expected) => {
  const { ask, records } = await startStage([script], native)
  const { json: said } = await ask({ tools: [weather] })
  expect(said.choices[0]).toMatchObject(expected)
  expect(records).toHaveLength(1)
})

test('words after a call that the limit cut off are cut off', async () => {
  const delta = (fields: object, finish: string | null = null) =>
    event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })
  const call = { tool_calls: [{ index: 0, id: 'a', function: whole }] }
  const { ask } = await startStage([raw([delta(call), delta({ content: 'And th' }), delta({}, 'length')])], native)
  expect((await ask({ tools: [weather] })).json.choices[0].finish_reason).toBe('length')
})

test('streamed, whole calls that the limit did not touch are calls, and a cut one stays unfinished', async () => {
  const scripts = [answer({ calls: [whole], finish: 'length' }), answer({ calls: [cut], finish: 'length' })]
  const { ask } = await startStage(scripts, native)
  const finishes = []
  for (const _ of scripts) finishes.push(eventsOf(await ask({ stream: true, tools: [weather] })).at(-2))
  expect(finishes).toMatchObject([
    { choices: [{ finish_reason: 'tool_calls' }] },
    { choices: [{ finish_reason: 'length' }] },
  ])
})

test('streamed, a call without a name is told as text', async () => {
  const { ask } = await startStage([answer({ calls: [{ name: '', arguments: '{"city": "Paris"}' }] })], native)
  const events = JSON.stringify(eventsOf(await ask({ stream: true, tools: [weather] })))
  expect(events).toContain(JSON.stringify({ content: '{"city": "Paris"}' }))
  expect(events).not.toContain('"tool_calls"')
})
