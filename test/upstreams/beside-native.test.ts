import { expect, test } from 'vitest'
import { event, raw } from '../doubles/openai-compat.ts'
import { eventsOf, startStage, weather } from './stage.ts'

const delta = (fields: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })
const native = {
  tool_calls: [{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '{"city": "Paris"}' } }],
}
const leak = (city: string) => ({
  content: `<tool_call>\n{"name": "get_weather", "arguments": {"city": "${city}"}}\n</tool_call>`,
})
const [paris, rome] = ['{"city": "Paris"}', '{"city": "Rome"}']

const cases: readonly [string, readonly object[], string | null, readonly (string | undefined)[]][] = [
  ['a call left in the text before a native one is made, too', [leak('Rome'), native], null, [paris, rome]],
  ['a call left in the text after a native one is made, too', [native, leak('Rome')], null, [paris, rome]],
  ['a call that is native and in the text is made once', [leak('Paris'), native, leak('Paris')], null, [paris]],
  [
    'marks and white space around a native call are no text',
    [{ content: '\n<tool_call>\n' }, native, { content: '\n</tool_call>' }],
    null,
    [paris],
  ],
  [
    'words around a native call stay',
    [{ content: 'So.\n' }, native, { content: '<s>Done</s>.' }],
    'So.<s>Done</s>.',
    [paris],
  ],
]

test.each(cases)('%s', async (_, deltas, content, calls) => {
  const script = raw([...deltas.map((fields) => delta(fields)), delta({}, 'tool_calls'), 'data: [DONE]\n\n'])
  const { ask } = await startStage([script], { model: { tools: 'native' } })
  const { json } = await ask({ tools: [weather] })
  const [{ message, finish_reason }] = json.choices
  expect([message.content, finish_reason]).toEqual([content, 'tool_calls'])
  expect(message.tool_calls.map((call: (typeof native.tool_calls)[0]) => call.function.arguments)).toEqual(calls)
  const streamed = eventsOf(await ask({ stream: true, tools: [weather] })).flatMap((chunk) =>
    typeof chunk === 'string' ? [] : (chunk['choices'] as { delta: { content?: string } }[]),
  )
  expect(streamed.map(({ delta: said }) => said.content ?? '').join('')).toBe(content ?? '')
})

test("a call at the end of thoughts in the marks of the model's own dialect is made", async () => {
  const said =
    'Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Rome"}<|call|>'
  const script = raw([delta({ reasoning_content: said }), delta({}, 'stop'), 'data: [DONE]\n\n'])
  const { ask } = await startStage([script], { model: { tools: 'native', model: 'gpt-oss-20b' } })
  const { json } = await ask({ tools: [weather] })
  expect(json.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: [{ function: { name: 'get_weather', arguments: rome } }] },
  })
})
