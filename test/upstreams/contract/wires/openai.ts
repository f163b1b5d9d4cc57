import { event } from '../../../doubles/openai-compat.ts'
import { secret, type Wire } from '../wire.ts'

const chunk = (delta: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta, finish_reason: finish }] })

export const wire: Wire = {
  file: (origin) => ({ kind: 'openai', url: `${origin}/v1`, key: secret, flavour: 'unknown' }),
  says: (pieces) => pieces.map((content) => chunk({ content })),
  end: [chunk({}, 'stop'), 'data: [DONE]\n\n'],
  calls: (name, json) => [
    chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } }] }),
    ...json.map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ],
}
