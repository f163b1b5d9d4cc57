import { expect, test } from 'vitest'
import { doors } from '../../src/doors/registry.ts'
import { readAt } from '../../test/doors/visit.ts'
import { doorNames, toDoor } from './doors.ts'

const weather = {
  name: 'get_weather',
  description: 'The weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

const body = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'The weather in Oslo?' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'Snow' },
    { role: 'user', content: 'And tomorrow?' },
  ],
  tools: [{ type: 'function', function: weather }],
  max_tokens: 300,
  temperature: 0.5,
  stream: true,
}

/** What the door makes of the request. */
async function readThere(name: string, more: object = {}) {
  const sent = toDoor(name, { ...body, ...more })
  const door = doors.find((one) => one.name === name)
  if (door === undefined) throw new Error(`There is no door ${name}.`)
  const [request] = (await readAt(door, sent.path, sent.body)).requests
  if (request === undefined) throw new Error('nothing was asked')
  return request
}

test('every door that the gateway serves is offered', () => {
  expect([...doorNames].sort()).toEqual(doors.map(({ name }) => name).sort())
})

test.each(doorNames)('at the door "%s" the same is asked', async (name) => {
  const request = await readThere(name)
  expect(request.tools).toMatchObject([weather])
  expect(request.maxTokens).toBe(300)
  expect(request.sampling).toMatchObject({ temperature: 0.5 })
  const said = request.messages.map(({ role, content }) => ({ role, text: JSON.stringify(content) }))
  expect(said.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
  for (const [at, words] of ['Be brief.', 'in Oslo?', 'I look.', 'Snow', 'And tomorrow?'].entries())
    expect(said[at]?.text).toContain(words)
  expect(said[2]?.text).toContain('get_weather')
})

test.each(doorNames.filter((name) => name !== 'ollama'))(
  'at the door "%s" a choice of tools is the same',
  async (name) => {
    const forced = { type: 'function', function: { name: 'get_weather' } }
    for (const [tool_choice, expected] of [
      ['none', { mode: 'none' }],
      ['required', { mode: 'required' }],
      [forced, { mode: 'named', name: 'get_weather' }],
    ] as const)
      expect((await readThere(name, { tool_choice })).toolChoice).toMatchObject(expected)
  },
)
