import { startGateway } from '../dragoman.ts'
import { type OpenAiDoubleOptions, startOpenAiDouble } from './openai-compat.ts'

/**
 * The real program, started, before a scripted service that knows nothing of tools: what it says is text. `models` are the
 * settings of the models by the names clients use; the service takes them under the same names.
 */
export async function startTextModel(
  models: Readonly<Record<string, { readonly dialect: string }>>,
  respond: OpenAiDoubleOptions['respond'],
) {
  const double = await startOpenAiDouble({ respond, models: Object.keys(models) })
  const gateway = await startGateway({
    config: {
      upstreams: { service: { kind: 'openai', url: double.url } },
      models: Object.fromEntries(
        Object.entries(models).map(([name, settings]) => [name, { upstream: 'service', tools: 'prompt', ...settings }]),
      ),
    },
  })
  return {
    ...gateway,
    double,
    async stop() {
      await gateway.stop()
      await double.close()
    },
  }
}

/** A text in pieces of 1 to 12 characters, the same for the same seed. */
export function cutAtRandom(text: string, seed: number): readonly string[] {
  const pieces: string[] = []
  let state = seed
  for (let at = 0; at < text.length; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    const size = 1 + ((state >>> 16) % 12)
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}
