import type { Served } from './ask.ts'
import { startReal } from './service.ts'

/** Where the model is: at an address, or started here. */
export interface Place {
  readonly endpoint?: string | undefined
  readonly model?: string | undefined
  readonly gguf?: string | undefined
  readonly llamaServer?: string | undefined
  /** A folder with `venv/` and the weights beside it, or any folder of weights with vLLM on the path. */
  readonly vllm?: string | undefined
}

const context = '16384'

export async function serve(place: Place): Promise<Served & { stop(): void }> {
  const { endpoint, gguf, llamaServer, vllm } = place
  if (endpoint !== undefined) {
    const origin = endpoint.replace(/\/+$/, '').replace(/\/v1$/, '')
    return {
      origin,
      model: place.model ?? (await firstModel(origin)),
      stop() {
        /* It is not ours. */
      },
    }
  }
  if (gguf !== undefined && llamaServer !== undefined) {
    const more = ['--jinja', '-c', context, '-np', '1', '--temp', '0', '--host', '127.0.0.1']
    const started = await startReal(
      (port) => ({ command: [llamaServer, '-m', gguf, '--port', String(port), ...more] }),
      '/health',
    )
    return { ...started, model: place.model ?? (await firstModel(started.origin)) }
  }
  if (vllm !== undefined) {
    const more = ['--host', '127.0.0.1', '--max-model-len', '8192', '--enforce-eager']
    const tools = ['--enable-auto-tool-choice', '--tool-call-parser', 'hermes']
    const started = await startReal(
      (port) => ({ command: ['vllm', 'serve', vllm, '--port', String(port), ...more, ...tools] }),
      '/health',
      600_000,
    )
    return { ...started, model: place.model ?? (await firstModel(started.origin)) }
  }
  throw new Error('Name a model: --endpoint URL, or --gguf FILE with --llama-server PATH, or --vllm FOLDER.')
}

async function firstModel(origin: string): Promise<string> {
  const response = await fetch(`${origin}/v1/models`)
  const { data } = (await response.json()) as { readonly data?: readonly { readonly id: string }[] }
  const id = data?.[0]?.id
  if (id === undefined) throw new Error(`No model is served at ${origin}.`)
  return id
}
