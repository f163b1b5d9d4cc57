import { describe, expect, test } from 'vitest'
import { inUsualOrder, type Message } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { offerTools, withSearch } from './offer.ts'

const words = 'Does it well and tells about it. '.repeat(12)
const tool = (name: string, description: string): Tool => ({
  kind: 'function',
  name,
  description: `${description} ${words}`,
  parameters: { type: 'object', properties: { path: { type: 'string', description: words } }, required: ['path'] },
})
const tools: readonly Tool[] = [
  tool('read_file', 'Reads a file.'),
  tool('write_file', 'Writes a file.'),
  tool('send_mail', 'Sends an email.'),
  tool('play_song', 'Plays music.'),
  tool('get_weather', 'Tells the weather of a city.'),
  tool('book_flight', 'Books a flight.'),
  tool('pay_bill', 'Pays an invoice.'),
  tool('water_plants', 'Waters the plants.'),
]
const user = (content: string): Message => ({ role: 'user', content })
const calls = (name: string): Message => ({
  role: 'assistant',
  content: inUsualOrder({ calls: [{ id: name, kind: 'function', name, arguments: '{}' }] }),
})
const result = (callId: string, content = 'Done.'): Message => ({ role: 'tool', callId, content })
const request = (messages: readonly Message[], more: Partial<Request> = {}): Request => ({
  model: 'm',
  messages,
  tools,
  sampling: {},
  extra: {},
  ...more,
})

function offer(messages: readonly Message[], toolsBudget?: number | string, more: Partial<Request> = {}) {
  const settings = { listing: 'auto', toolsBudget } as const
  return offerTools(withSearch(request(messages, more), settings, undefined), settings, undefined)
}
const namesOf = (list: readonly Tool[]) => list.map(({ name }) => name)
const size = (list: readonly Tool[]) => JSON.stringify(list).length / 4

describe('tools within the budget', () => {
  test('are told as they are', () => {
    expect(offer([user('Hi.')])).toEqual({ tools, messages: [user('Hi.')], style: 'full', isPart: false })
    expect(offer([user('Hi.')], 100_000)).toMatchObject({ tools, style: 'full', isPart: false })
    expect(offer([user('Hi.')], '8 tools')).toMatchObject({ tools, style: 'full', isPart: false })
  })

  test('are told shorter where that is enough', () => {
    expect(offer([user('Hi.')], size(tools) * 0.75)).toMatchObject({ tools, style: 'short', isPart: false })
  })
})

describe('too many tools', () => {
  test('of them, those are told that have to do with the task, within the budget', () => {
    const found = offer([user('What is the weather like, and send it by mail to Anna.')], 400)
    expect(namesOf(found.tools)).toEqual(expect.arrayContaining(['get_weather', 'send_mail', 'find_tools']))
    expect(found.isPart).toBe(true)
    expect(namesOf(offer([user('What is the weather like?')], '1 tool').tools)).toEqual(['get_weather', 'find_tools'])
  })

  test('the search names the others', () => {
    const [, search] = offer([user('What is the weather like?')], '1 tool').tools
    expect(search?.description).toContain('read_file, write_file, send_mail')
    expect(search?.description).not.toContain('get_weather')
  })

  test('a tool that is named, chosen or was used is told', () => {
    expect(namesOf(offer([user('Use water_plants.')], '1 tool').tools)).toContain('water_plants')
    const toolChoice = { mode: 'named', name: 'pay_bill' } as const
    expect(namesOf(offer([user('Hi.')], '1 tool', { toolChoice }).tools)).toContain('pay_bill')
    const used = offer([user('Hi.'), calls('book_flight'), result('book_flight')], '2 tools')
    expect(namesOf(used.tools).at(-1)).toBe('book_flight')
    expect(used.messages.at(-1)).toEqual({ ...result('book_flight'), introduces: ['book_flight'] })
  })

  test('what the user says next brings in more, where it is said', () => {
    const said = [user('Play music.'), calls('play_song'), result('play_song'), user('And now the weather, please.')]
    const { messages, tools: told } = offer(said, '4 tools')
    expect(namesOf(told).at(-1)).toBe('get_weather')
    expect(messages.at(-1)).toMatchObject({ introduces: ['get_weather'] })
  })

  test('no tool of the client has the name of the search', () => {
    const own = tool('find_tools', 'Finds hammers.')
    const { tools: told } = offer([user('Find hammers with find_tools.')], '2 tools', { tools: [...tools, own] })
    expect(namesOf(told)).toEqual(expect.arrayContaining(['find_tools', 'find_tools_2']))
  })

  test('nothing that was told is taken back, and the beginning stays the same, over twenty turns', () => {
    const subjects = ['mail', 'music', 'flight', 'invoice', 'plants']
    const messages: Message[] = [user('What is the weather?')]
    let before = offer(messages, '4 tools')
    for (let turn = 0; turn < 20; turn++) {
      const { name } = tools[turn % tools.length] as Tool
      messages.push(
        calls(name),
        result(name, `It said ${tools[(turn * 3) % 8]?.name}.`),
        user(`Now the ${subjects[turn % 5]}.`),
      )
      const now = offer(messages, '4 tools')
      expect(namesOf(now.tools).slice(0, before.tools.length)).toEqual(namesOf(before.tools))
      expect(now.messages.slice(0, before.messages.length)).toEqual(before.messages)
      before = now
    }
  })
})

test('deferred tools are found by a search alone, or by their names', () => {
  const deferred = tools.map((one, place) => (place < 2 ? one : { ...one, isDeferred: true }))
  expect(namesOf(offer([user('The weather?')], undefined, { tools: deferred }).tools)).toEqual([
    'read_file',
    'write_file',
    'find_tools',
  ])
  expect(namesOf(offer([user('Call get_weather.')], undefined, { tools: deferred }).tools)).toContain('get_weather')
})
