import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { createReader } from '../../src/engine/reader.ts'
import { fold } from '../../src/protocol/fold.ts'
import { callsOf, inUsualOrder, type Message, textOf } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { prepare } from '../../src/turn/prompt/prepare.ts'
import { defaultSettings, type TemplateSettings } from '../../src/turn/settings.ts'
import type { UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { createScripted, toRequest } from '../turn/scripted.ts'

const turns = 20

const tools: readonly Tool[] = ['read', 'search', 'run-tests'].map((name) => ({
  kind: 'function',
  name,
  description: `Runs ${name}`,
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, count: { type: 'integer' }, deep: { type: 'object' } },
    required: ['path'],
  },
}))

/** One turn of work: the assistant says what it does, makes two or three calls, and their results come in any order. */
function workOf(turn: number): readonly Message[] {
  const calls = tools.slice(0, 2 + (turn % 2)).map(({ name }, place) => ({
    id: `call_${turn}_${place}`,
    kind: 'function' as const,
    name,
    arguments: JSON.stringify({ path: `/file-${turn}-${place}.ts`, count: turn * 10 + place, deep: { key: [turn] } }),
  }))
  const results = calls.map(
    ({ id }, place): Message => ({
      role: 'tool',
      callId: id,
      content: `result ${turn}.${place}\nwith a <tool_call> in it`,
    }),
  )
  return [
    { role: 'assistant', content: inUsualOrder({ content: `Step ${turn}: I look.`, calls }) },
    ...(turn % 3 === 0 ? results.toReversed() : results),
    ...(turn % 4 === 0
      ? [
          { role: 'assistant', content: inUsualOrder({ content: `That was step ${turn}.`, calls: [] }) } as const,
          { role: 'user', content: `Go on with ${turn + 1}.` } as const,
        ]
      : []),
  ]
}

/** Without the reminder, which is the last line of the last message alone. */
function render({ messages, reminder = '' }: UpstreamRequest): string {
  const prompt = messages.map(({ role, content }) => `\n<|${role}|>${textOf(content)}`).join('')
  return prompt.endsWith(reminder) ? prompt.slice(0, prompt.length - reminder.length).trimEnd() : prompt
}

const templates: readonly TemplateSettings[] = [
  { system: true, alternate: false },
  { system: false, alternate: true },
]

const cases = dialects.flatMap((dialect) => templates.map((template) => ({ name: dialect.name, dialect, template })))

describe.each(cases)('twenty turns with parallel calls in $name (system $template.system)', ({ dialect, template }) => {
  const settings = { ...defaultSettings('model', ['scripted']), template }
  const upstream = createScripted([])
  const opening: readonly Message[] = [
    { role: 'system', content: 'Be thorough.' },
    { role: 'user', content: 'Refactor everything.' },
  ]
  const prompts: string[] = []
  let messages = opening
  let last: UpstreamRequest | undefined
  for (let turn = 1; turn <= turns; turn++) {
    messages = [...messages, ...workOf(turn)]
    last = prepare(toRequest(messages, { tools }), { mode: 'prompt', settings, upstream, dialect }).request
    prompts.push(render(last))
  }

  test('each prompt begins with the one before', () => {
    expect(prompts.findIndex((prompt, place) => !prompt.startsWith(prompts[place - 1] ?? ''))).toBe(-1)
  })

  test('nothing of the conversation is missing, and it is in order', () => {
    const prompt = prompts.at(-1)?.replaceAll('\u2060', '') ?? ''
    const told = messages.flatMap((message) => (message.role === 'tool' ? [] : [textOf(message.content)]))
    let at = -1
    for (const text of told.slice(1)) {
      at = prompt.indexOf(text, at + 1)
      expect(at, text).toBeGreaterThan(-1)
    }
    for (let turn = 1; turn <= turns; turn++) {
      for (const place of [0, 1]) expect(prompt).toContain(`result ${turn}.${place}\nwith a <tool_call> in it`)
    }
  })

  test('the calls of the history read back as the calls that were made', () => {
    const said =
      last?.messages.flatMap((message) => (message.role === 'assistant' ? [textOf(message.content)] : [])) ?? []
    const made = messages.flatMap(callsOf)
    const read = said.flatMap((text) => {
      const reader = createReader({ dialect, others: dialects, tools, parallel: true, newId: () => 'call' })
      return fold([...reader.push(text), ...reader.end('stop')]).calls
    })
    const plain = (calls: readonly { name: string; arguments: string }[]) =>
      calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) }))
    expect(plain(read)).toEqual(plain(made))
  })
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('a conversation prepared a thousand times leaves nothing behind', () => {
  const [dialect] = dialects
  if (dialect === undefined) return
  const messages = Array.from({ length: turns }, (_, turn) => workOf(turn + 1)).flat()
  const settings = defaultSettings('model', ['scripted'])
  const upstream = createScripted([])
  const once = (turn: number) =>
    prepare(toRequest([{ role: 'user', content: `${turn}` }, ...messages], { tools: structuredClone(tools) }), {
      mode: 'prompt',
      settings,
      upstream,
      dialect,
    })
  const measure = (rounds: number): number => {
    for (let round = 0; round < rounds; round++) once(round)
    collect()
    return process.memoryUsage().heapUsed
  }
  measure(300)
  const before = measure(300)
  expect(measure(1_000) - before).toBeLessThan(3_000_000)
})
