import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningGateway, startGateway, untilSaid } from '../dragoman.ts'

const call = (json: string) => `On it.\n<tool_call>\n{"name": "book", "arguments": ${json}}\n</tool_call>`

let gateway: RunningGateway

beforeAll(async () => {
  gateway = await startGateway({
    config: {
      upstreams: { r: { kind: 'rehearsal', script: [call('{"seats": "2", "city": 7, }')] } },
      models: { m: { tools: 'prompt', dialect: 'hermes', loop: 'stop' } },
    },
    environment: { DRAGOMAN_LOG: 'debug' },
  })
})

afterAll(() => gateway.stop())

const tool = {
  type: 'function',
  function: {
    name: 'book',
    parameters: {
      type: 'object',
      properties: { city: { enum: ['Rome'] }, seats: { type: 'integer' } },
      required: ['city'],
    },
  },
}

const asked = { role: 'user', content: 'Book it: <tool_call>. My key is sk-abcdefgh12345678.' }
function booked(id: string) {
  const made = { id, type: 'function', function: { name: 'book', arguments: '{"seats":2,"city":"7"}' } }
  return [
    { role: 'assistant', content: null, tool_calls: [made] },
    { role: 'tool', tool_call_id: id, content: 'full' },
  ]
}

function ask(messages: readonly object[], stream: boolean): Promise<Response> {
  const body = JSON.stringify({ model: 'm', messages, tools: [tool], stream })
  return fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
}

test.each([true, false])('log: debug tells what was changed, why and in which order (streamed: %s)', async (stream) => {
  const said = untilSaid(gateway.child.stderr, /"kind":"call_read".*\n/)
  const response = await ask([asked, ...booked('a')], stream)
  expect(await response.text()).toContain('tool_calls')
  if (!stream) expect(response.headers.get('x-dragoman-notice')).toBe('schema_violation;path="book: city"')
  const line = (await said).trim().split('\n').at(-1) ?? ''
  expect(line).not.toContain('sk-abcdefgh')
  const { changes } = JSON.parse(line) as { changes: { severity: string; kind: string; why?: string }[] }
  expect(changes.map(({ severity, kind }) => `${severity} ${kind}`)).toEqual([
    'info tools_taught',
    'info history_told',
    'info text_guarded',
    'info coerced',
    'info coerced',
    'info json_repaired',
    'info call_read',
    'warning schema_violation',
    'info usage_split',
  ])
  expect(changes[0]?.why).toMatch(/\.$/)
})

test('loop: stop ends the turn with the text so far, and the header says why', async () => {
  const response = await ask([asked, ...booked('a'), ...booked('b')], false)
  expect(response.headers.get('x-dragoman-notice')).toBe('loop;call="book, 3 times in a row"')
  const { choices } = (await response.json()) as { choices: readonly object[] }
  expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'On it.' } })
  expect(JSON.stringify(choices)).not.toContain('tool_calls')
})

test('log: debug names a header that has no effect', async () => {
  const said = untilSaid(gateway.child.stderr, /"kind":"header_ignored".*\n/)
  const response = await fetch(`${gateway.origin}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-beta': 'interleaved-thinking-2025-05-14' },
    body: JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(response.status).toBe(200)
  expect(await said).toContain('anthropic-beta: interleaved-thinking-2025-05-14')
})
