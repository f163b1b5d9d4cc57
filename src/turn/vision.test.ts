import { expect, test } from 'vitest'
import { collect, context, createScripted, type Script, says, toRequest } from '../../test/turn/scripted.ts'
import { GatewayError } from '../errors.ts'
import type { Message, Part } from '../protocol/message.ts'
import { defaultSettings } from './settings.ts'
import { createTurns } from './turns.ts'

const image = (data: string): Part => ({ type: 'image', url: `data:image/png;base64,${data}` })
const asks = (...content: readonly Part[]): Message => ({ role: 'user', content })
const see: Part = { type: 'text', text: 'See' }
const words = (said: string) => `[image, as eyes describes it:\n${said}\n]`

/** A model that sees nothing, and one that describes images for it. */
function turnsWith(blind: readonly Script[], eyes: readonly Script[]) {
  const services = [createScripted(blind, { name: 'one' }), createScripted(eyes, { name: 'two' })] as const
  let time = 0
  const turns = createTurns({
    upstreams: new Map(services.map((service) => [service.name, service])),
    models: [{ ...defaultSettings('model', ['one']), vision: 'eyes' }, defaultSettings('eyes', ['two'])],
    newId: () => 'call_1',
    now: () => time,
  })
  const notes = async (messages: readonly Message[], client = 'a') => {
    const turn = await turns.start({ ...toRequest(messages), omitsMedia: true }, { ...context, client })
    const events = await collect(turn)
    return events.flatMap((event) => (event.type === 'note' ? [`${event.kind}: ${event.detail}`] : []))
  }
  const pass = (ms: number) => {
    time += ms
  }
  return { turns, notes, pass, blind: services[0], eyes: services[1] }
}

test('an image is told in its place as another model describes it, once', async () => {
  const { notes, blind, eyes } = turnsWith([says('Fine.'), says('Fine.')], [says(' A red square. ')])
  const first = asks(see, image('AA'), { type: 'text', text: 'and again' }, image('AA'))
  expect(await notes([first])).toContain('image_described: 2 images by eyes')
  await notes([first, { role: 'assistant', content: 'Fine.' }, asks(see)])
  expect(blind.asked.map(({ messages }) => JSON.stringify(messages[0]).includes('data:'))).toEqual([false, false])
  expect(blind.asked[1]?.messages[0]).toEqual(blind.asked[0]?.messages[0])
  expect(JSON.stringify(blind.asked[0]?.messages[0]?.content)).toContain(
    JSON.stringify(words('A red square.')).slice(1, -1),
  )
  expect(eyes.asked).toHaveLength(1)
  expect(eyes.asked[0]).toMatchObject({ model: 'eyes', tools: [], maxTokens: 1024 })
  expect(eyes.asked[0]?.messages[0]?.content).toContainEqual(image('AA'))
})

test('what one client showed is described anew for another', async () => {
  const { notes, eyes } = turnsWith([says('Fine.'), says('Fine.')], [says('A.'), says('B.')])
  await notes([asks(see, image('AA'))], 'a')
  await notes([asks(see, image('AA'))], 'b')
  expect(eyes.asked).toHaveLength(2)
})

test.each<[string, Script, string]>([
  ['cannot be asked', [new GatewayError('upstream_unreachable', 'Away.')], 'upstream_unreachable'],
  ['says nothing', says(''), 'upstream_malformed'],
])('where it %s, the image is left out as ever, and tried again after a while', async (_, script, code) => {
  const refusal: Script = [new GatewayError('unsupported_parameter', 'No eyes.', { param: 'messages[0].content' })]
  const { notes, pass, eyes } = turnsWith(
    [refusal, says('I see nothing.'), says('Nothing.'), says('Ah.')],
    [script, says('A cat.')],
  )
  const messages = [asks(see, image('AA'))]
  expect(await notes(messages)).toEqual(
    expect.arrayContaining([`image_undescribed: eyes: ${code}`, 'item_dropped: image']),
  )
  await notes(messages)
  expect(eyes.asked).toHaveLength(1)
  pass(61_000)
  expect(await notes(messages)).toContain('image_described: 1 image by eyes')
})

test('a long description is cut, and of many images the last are described', async () => {
  const many = Array.from({ length: 20 }, (_, place) => image(`A${place}`))
  const { turns, blind, eyes } = turnsWith(
    [says('Fine.')],
    many.map(() => says('x'.repeat(9_000))),
  )
  await collect(await turns.start(toRequest([asks(...many)]), context))
  const content = blind.asked[0]?.messages[0]?.content
  const parts = typeof content === 'string' ? [] : (content ?? [])
  expect(eyes.asked).toHaveLength(16)
  expect(parts.map(({ type }) => type)).toEqual([...Array(4).fill('image'), ...Array(16).fill('text')])
  expect(JSON.stringify(parts[4]).length).toBeLessThan(8_100)
})

test('tokens are counted without asking for a description', async () => {
  const { turns, eyes } = turnsWith([], [])
  expect(await turns.countTokens(toRequest([asks(see, image('AA'))]), context)).toBeGreaterThan(0)
  expect(eyes.asked).toHaveLength(0)
})

test('a client that goes away while an image is described ends the description', async () => {
  const abort = new AbortController()
  const { turns, eyes } = turnsWith([], [])
  const hanging = {
    ...eyes,
    chat: async function* (_: unknown, signal: AbortSignal) {
      abort.abort(new Error('gone'))
      yield []
      signal.throwIfAborted()
    },
  }
  Object.assign(eyes, { chat: hanging.chat })
  await expect(turns.start(toRequest([asks(image('AA'))]), { ...context, signal: abort.signal })).rejects.toThrow(
    'gone',
  )
})
