import { expect, test } from 'vitest'
import { context, createScripted, says, toRequest, turnsOver } from '../../../test/turn/scripted.ts'
import { GatewayError } from '../../errors.ts'
import type { Message } from '../../protocol/message.ts'

const image = { type: 'image', url: 'data:image/png;base64,AA==' } as const
const file = { type: 'other', value: { type: 'file', file: { filename: 'a.pdf', file_data: 'data:' } } } as const
const messages: readonly Message[] = [{ role: 'user', content: [{ type: 'text', text: 'See' }, image, file] }]
const blind = new GatewayError('unsupported_parameter', 'No eyes.', { param: 'messages[0].content' })

test('what is no text is told in a line where it is refused, and not sent again for a while', async () => {
  const upstream = createScripted([[blind], says('I see nothing.'), says('Still nothing.')])
  const turns = turnsOver(upstream)
  const request = { ...toRequest(messages), omitsMedia: true }
  const notes = []
  for await (const events of (await turns.start(request, context)).events)
    notes.push(...events.filter(({ type }) => type === 'note'))
  await turns.start(request, context)
  const [sent, then, ...rest] = upstream.asked.map((asked) => asked.messages.at(-1)?.content)
  expect(sent).toContainEqual(image)
  expect(then).toBe('See\n\n[image omitted]\n\n[document omitted: a.pdf]')
  expect(rest).toEqual([then])
  expect(notes).toContainEqual({ type: 'note', kind: 'item_dropped', detail: 'image, document' })
})

test.each([
  ['for a client that wants to know', toRequest(messages), blind],
  ['for another reason', { ...toRequest(messages), omitsMedia: true }, new GatewayError('upstream_rejected', 'No.')],
  ['of words alone', { ...toRequest('hi'), omitsMedia: true }, blind],
])('a refusal %s stays one', async (_, request, failure) => {
  await expect(turnsOver(createScripted([[failure], says('Hi.')])).start(request, context)).rejects.toThrow(
    failure.message,
  )
})
