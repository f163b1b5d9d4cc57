import { isJsonObject } from '../../protocol/json.ts'
import { type Flavour, plainTraits } from './flavour.ts'
import { listAt, textAt } from './read.ts'

/** Another gateway like this one. It answers Ollama's questions as well, whatever stands behind it. */
export const dragoman: Flavour = {
  name: 'dragoman',
  title: 'Dragoman',
  fingerprints: [
    {
      path: '/models',
      inside: true,
      fits: (answer) => listAt(answer, 'data').some((one) => isJsonObject(one['dragoman'])),
    },
    // Before it has a model.
    { path: '/livez', fits: (answer) => textAt(answer, 'status') === 'live' },
  ],
  traits: { ...plainTraits, nativeTools: 'yes', reasoning: 'sent', takes: 'all' },
}
