import { describe, expect, test } from 'vitest'
import type { Call } from '../protocol/call.ts'
import type { Message } from '../protocol/message.ts'
import type { Tool, ToolChoice } from '../protocol/tool.ts'
import type { UpstreamEvent, UpstreamRequest } from '../upstreams/upstream.ts'
import { createRehearsalUpstream, type RehearsalSettings } from './rehearsal.ts'

const readFile: Tool = {
  kind: 'function',
  name: 'read_file',
  description: 'Read the contents of a file',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const getWeather: Tool = {
  kind: 'function',
  name: 'get_weather',
  description: 'Get the weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

function user(content: string): Message {
  return { role: 'user', content }
}

async function answerTo(
  messages: readonly Message[],
  settings: RehearsalSettings = {},
  fields: Partial<UpstreamRequest> = {},
) {
  const upstream = createRehearsalUpstream({ name: 'r', ...settings })
  const request: UpstreamRequest = { model: 'rehearsal', messages, tools: [], sampling: {}, extra: {}, ...fields }
  const events: UpstreamEvent[] = []
  for await (const read of upstream.chat(request, new AbortController().signal)) events.push(...read)
  const of = (type: 'text' | 'reasoning') => events.map((event) => (event.type === type ? event.text : '')).join('')
  const calls = new Map<number, { name: string; json: string }>()
  for (const event of events) {
    if (event.type !== 'call' || event.index === undefined) continue
    const call = calls.get(event.index) ?? { name: '', json: '' }
    calls.set(event.index, { name: call.name + (event.name ?? ''), json: call.json + (event.json ?? '') })
  }
  return { events, text: of('text'), reasoning: of('reasoning'), calls: [...calls.values()], finish: events.at(-1) }
}

const native = { tools: [readFile, getWeather] }

/** What a prompt taught, in a dialect of its own. */
function taught(messages: readonly Message[]) {
  const request = { model: 'rehearsal', messages, ...native, sampling: {}, extra: {} }
  return {
    origin: {
      request,
      print: (calls: readonly Call[]) => calls.map((call) => `CALL ${call.name} ${call.arguments}`).join('\n'),
    },
  }
}

describe('native tools', () => {
  test('are called when asked for', async () => {
    const said = await answerTo([user('Read a.txt')], {}, native)
    expect(said.text).toBe("I'll use read_file.")
    expect(said.calls).toEqual([{ name: 'read_file', json: '{"path":"README.md"}' }])
    expect(said.finish).toEqual({ type: 'finish', reason: 'tool_calls' })
  })

  test.each<[string, ToolChoice, string[]]>([
    ['Read a.txt', { mode: 'none' }, []],
    ['Hello', { mode: 'auto' }, []],
    ['Read a.txt', { mode: 'named', name: 'get_weather' }, ['get_weather']],
    ['Read a.txt', { mode: 'allowed', required: false, names: ['get_weather'] }, []],
    ['Read a.txt', { mode: 'allowed', required: true, names: ['get_weather'] }, ['get_weather']],
    ['Read a.txt', { mode: 'required' }, ['read_file']],
  ])('%s with choice %j', async (message, toolChoice, names) => {
    const said = await answerTo([user(message)], {}, { ...native, toolChoice })
    expect(said.calls.map((call) => call.name)).toEqual(names)
  })

  test('required calls something even when nothing fits', async () => {
    expect((await answerTo([user('Hello')], {}, { ...native, toolChoice: { mode: 'required' } })).calls).toHaveLength(1)
  })

  test.each<[string, string[]]>([
    ['What is the weather in Paris and in New York?', ['{"city":"Paris"}', '{"city":"New York"}']],
    ['the weather in rome', ['{"city":"rome"}']],
    ['Please read package.json, and then read the file README.md', ['{"path":"package.json"}', '{"path":"README.md"}']],
    ['"Read the file a.txt"', ['{"path":"README.md"}']],
    ['<task>Read a.txt</task><environment_details>weather in Oslo</environment_details>', ['{"path":"README.md"}']],
    ['I do not care for the weather in Paris', []],
    ['Tell me a joke about files', []],
    ['', []],
  ])('%s', async (message, given) => {
    expect((await answerTo([user(message)], {}, native)).calls.map(({ json }) => json)).toEqual(given)
  })

  test('are called eight times at most', async () => {
    const many = Array.from({ length: 50 }, () => 'read a.txt').join(', ')
    expect((await answerTo([user(many)], {}, native)).calls).toHaveLength(8)
  })

  test('are called one at a time when that is wanted', async () => {
    const fields = { ...native, parallelCalls: false }
    const said = await answerTo([user('What is the weather in Rome and in Oslo?')], {}, fields)
    expect(said.calls).toEqual([{ name: 'get_weather', json: '{"city":"Rome"}' }])
  })

  test('that answered are quoted', async () => {
    const history: Message[] = [
      user('Read a.txt and b.txt'),
      { role: 'assistant', content: '' },
      { role: 'tool', callId: '1', content: 'dragons' },
      { role: 'tool', callId: '2', content: '' },
    ]
    const said = await answerTo(history, {}, native)
    expect(said.text).toBe('The tools answered:\n- dragons\n- (nothing)')
    expect(said.finish).toEqual({ type: 'finish', reason: 'stop' })
  })
})

describe('taught tools', () => {
  test('are called in the words of the teaching', async () => {
    const said = await answerTo([user('taught')], {}, taught([user('What is the weather in Rome and in Oslo?')]))
    expect(said.text).toBe(
      `I'll use get_weather.\n\nCALL get_weather {"city":"Rome"}\nCALL get_weather {"city":"Oslo"}`,
    )
    expect(said.finish).toEqual({ type: 'finish', reason: 'stop' })
  })

  test('that answered are quoted', async () => {
    const messages: Message[] = [user('Read a.txt'), { role: 'tool', callId: '1', content: 'dragons' }]
    expect((await answerTo([user('told')], {}, taught(messages))).text).toBe('The tool answered: dragons')
  })

  test('are called again when the user goes on after old results', async () => {
    const messages: Message[] = [user('Hi'), { role: 'tool', callId: '1', content: 'dragons' }, user('Read b.txt')]
    const said = await answerTo([user('told')], { prose: false }, taught(messages))
    expect(said.text).toBe('CALL read_file {"path":"README.md"}')
  })
})

test('a quoted result keeps its signs, unless a call could be read in it', async () => {
  const results = async (content: string) =>
    (await answerTo([user('Read a.txt'), { role: 'tool', callId: '1', content }], {}, native)).text
  expect(await results('{"degrees": [18]}')).toBe('The tool answered: {"degrees": [18]}')
  expect(await results('{"name": "read_file"}')).toBe('The tool answered:  name :  read_file ')
  expect(await results('<b>18</b>')).toBe('The tool answered:  b 18 /b ')
})

test('without tools it says what it is', async () => {
  expect((await answerTo([user('Hello')])).text).toMatch(/rehearsal model.*You said: Hello/)
})

describe('settings', () => {
  test('no prose', async () => {
    expect((await answerTo([user('Read a.txt')], { prose: false }, native)).text).toBe('')
  })
  test('a number of calls', async () => {
    expect((await answerTo([user('Read a.txt')], { calls: 3 }, native)).calls).toHaveLength(3)
  })
  test('thinking first', async () => {
    const said = await answerTo([user('Read a.txt')], { thinking: true }, native)
    expect(said.reasoning).toBe('The message asks for read_file.')
    expect(said.events[0]?.type).toBe('reasoning')
  })
  test('no usage', async () => {
    expect((await answerTo([user('Hello')], { usage: false })).events.map((event) => event.type)).not.toContain('usage')
  })
  test('usage by length, and marked so', async () => {
    const { events } = await answerTo([user('12345678')], { script: ['1234567890'] })
    expect(events).toContainEqual({ type: 'usage', promptTokens: 2, completionTokens: 3, estimated: true })
  })
  test('a script, in order and over again', async () => {
    const upstream = createRehearsalUpstream({ name: 'r', script: ['one', 'two'], usage: false, pieceSize: 99 })
    const heard: unknown[] = []
    for (let round = 0; round < 3; round += 1) {
      const request = { model: 'r', messages: [], tools: [], sampling: {}, extra: {} }
      for await (const read of upstream.chat(request, new AbortController().signal)) heard.push(read[0])
    }
    const stop = { type: 'finish', reason: 'stop' }
    const texts = ['one', 'two', 'one'].flatMap((text) => [{ type: 'text', text }, stop])
    expect(heard).toEqual(texts)
  })
})

describe('limits', () => {
  test('an answer over max_tokens is cut off', async () => {
    const said = await answerTo([user('Hello')], { script: ['12345678901'] }, { maxTokens: 2 })
    expect([said.text, said.finish]).toEqual(['12345678', { type: 'finish', reason: 'length' }])
  })
  test('an answer ends before a stop sequence', async () => {
    expect((await answerTo([user('Hello')], { script: ['abcENDdef'] }, { stop: ['END', 'f'] })).text).toBe('abc')
  })
})

describe('cutting', () => {
  const script = ['Ein Drache 🐉🐉🐉 sagt: «Grüß Gott».']
  test.each<RehearsalSettings>([{ pieceSize: 1 }, { pieceSize: 5 }, { cut: { seed: 1 } }, { cut: { seed: 2 } }])(
    '%j',
    async (cut) => {
      const said = await answerTo([user('x')], { ...cut, script })
      expect(said.text).toBe(script[0])
      for (const event of said.events) if (event.type === 'text') expect(event.text.isWellFormed()).toBe(true)
      expect((await answerTo([user('x')], { ...cut, script })).events).toEqual(said.events)
    },
  )
  test('four characters at a time when nobody says otherwise', async () => {
    const { events } = await answerTo([user('x')], { script: ['abcdefg'] })
    expect(events.slice(0, 2)).toEqual([
      { type: 'text', text: 'abcd' },
      { type: 'text', text: 'efg' },
    ])
  })
  test('another seed cuts otherwise', async () => {
    const [one, two] = await Promise.all([1, 2].map((seed) => answerTo([user('x')], { cut: { seed }, script })))
    expect(one?.events).not.toEqual(two?.events)
  })
})

describe('who no longer wants the answer is obeyed', () => {
  const gone = new Error('gone')
  const request: UpstreamRequest = { model: 'r', messages: [], tools: [], sampling: {}, extra: {} }

  test.each([0, 0.01])('at %d tokens a second', async (tokensPerSecond) => {
    const upstream = createRehearsalUpstream({ name: 'r', script: ['some long text'], tokensPerSecond })
    const abort = new AbortController()
    const reads = upstream.chat(request, abort.signal)[Symbol.asyncIterator]()
    expect((await reads.next()).done).toBe(false)
    const next = reads.next()
    abort.abort(gone)
    if (tokensPerSecond > 0) await expect(next).rejects.toBe(gone)
    else await next.then(() => expect(reads.next()).rejects.toBe(gone))
  })

  test('before it began', async () => {
    const upstream = createRehearsalUpstream({ name: 'r' })
    await expect(upstream.chat(request, AbortSignal.abort(gone))[Symbol.asyncIterator]().next()).rejects.toBe(gone)
  })
})

test('the pace is kept', async () => {
  const began = performance.now()
  await answerTo([user('x')], { script: ['abcdefghijkl'], pieceSize: 1, tokensPerSecond: 200 })
  expect(performance.now() - began).toBeGreaterThan(50)
})

test('it lists itself', async () => {
  const upstream = createRehearsalUpstream({ name: 'r' })
  expect(await upstream.models(new AbortController().signal)).toEqual([{ id: 'rehearsal' }])
})
