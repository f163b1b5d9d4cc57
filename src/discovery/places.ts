/** An address where a model server may be. */
export interface Place {
  /** Up to and including `/v1`. */
  readonly url: string
}

/** The default ports of model servers. Several share one: their answers tell them apart. */
export const usualPorts: readonly number[] = [
  11434, // Ollama
  1234, // LM Studio
  8000, // vLLM
  8080, // llama.cpp, LocalAI, mlx_lm, llama-swap
  30000, // SGLang
  1337, // Jan
  5001, // KoboldCpp
  5000, // text-generation-webui, TabbyAPI
  12434, // Docker Model Runner
  4891, // GPT4All
]

/** Docker keeps the API of its runner further in. */
const paths: Readonly<Record<number, string>> = { 12434: '/engines/v1' }

/** This machine alone. The second is for servers that listen on `localhost` and mean its newer address. */
const hosts = ['127.0.0.1', '[::1]'] as const

/** Where to look on these ports: in the order of the ports, for each the places that would be the same server. */
export function placesOn(ports: readonly number[]): readonly (readonly Place[])[] {
  return ports.map((port) => hosts.map((host) => ({ url: `http://${host}:${port}${paths[port] ?? '/v1'}` })))
}

/** One spelling for an address, so that two of them can be compared. */
export function canonical(url: string): string {
  if (!URL.canParse(url)) return url
  const { protocol, hostname, port, pathname } = new URL(url)
  const host = hostname === 'localhost' || hostname === '0.0.0.0' ? '127.0.0.1' : hostname
  return `${protocol}//${host}:${port || (protocol === 'https:' ? '443' : '80')}${pathname.replace(/\/+$/, '')}`
}

/** The port of an address that only this machine can mean. */
export function ownPortOf(url: string): number | undefined {
  const { hostname, port, protocol } = new URL(canonical(url))
  if (!/^(?:127\.|\[::1\]$)/.test(hostname)) return undefined
  return Number(port || (protocol === 'https:' ? 443 : 80))
}
