import { secret, type Wire } from '../wire.ts'

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

export const wire: Wire = {
  file: (origin) => ({ kind: 'poe', url: `${origin}/bot`, key: secret }),
  says: (pieces) => pieces.map((text) => event('text', { text })),
  end: [event('done', {})],
}
