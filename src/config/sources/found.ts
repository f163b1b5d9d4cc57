import { readServiceUrl } from '../values/service-url.ts'
import type { Surroundings } from './surroundings.ts'

/** A service that is not configured: found on this machine, or named by another program's variable. */
export interface FoundService {
  readonly name: string
  readonly url: string
  readonly flavour?: string | undefined
  /** As the file would say it: `env:NAME`. */
  readonly key?: string | undefined
  /** The models it lists, where that is known. */
  readonly models?: readonly string[] | undefined
}

/** What the variables of other programs say about services. */
export interface NamedElsewhere {
  /** `OPENAI_BASE_URL`, served with `OPENAI_API_KEY` where that is set. */
  readonly openai?: FoundService
  /** `OLLAMA_HOST`: where Ollama is, should it run. */
  readonly ollamaUrl?: string
}

export function readNamedElsewhere({ environment }: Surroundings): NamedElsewhere {
  const base = environment['OPENAI_BASE_URL']?.trim()
  const url = base ? readServiceUrl(base) : undefined
  const hasKey = Boolean(environment['OPENAI_API_KEY']?.trim())
  const ollamaUrl = readOllamaHost(environment['OLLAMA_HOST']?.trim() ?? '')
  return {
    ...(url !== undefined && { openai: { name: 'default', url, ...(hasKey && { key: 'env:OPENAI_API_KEY' }) } }),
    ...(ollamaUrl !== undefined && { ollamaUrl }),
  }
}

const ollamaPort = 11434

/** As Ollama reads it: all of it may be missing but one, and `0.0.0.0` is where a server listens, not where one asks. */
export function readOllamaHost(text: string): string | undefined {
  if (text === '') return undefined
  const [, scheme = 'http', rest = ''] = /^(?:(https?):\/\/)?(.*)$/i.exec(text) ?? []
  const [, host = '', port] = /^(\[[\da-f:.]+\]|[^:/]*)(?::(\d{1,5}))?(?:\/|$)/i.exec(rest) ?? []
  if (host === '' && port === undefined) return undefined
  const usual = /:\/\//.test(text) ? (scheme.toLowerCase() === 'https' ? 443 : 80) : ollamaPort
  const asked = host === '' || host === '0.0.0.0' ? '127.0.0.1' : host === '[::]' ? '[::1]' : host
  const url = `${scheme.toLowerCase()}://${asked}:${port ?? usual}/v1`
  return URL.canParse(url) ? url : undefined
}

/** `off`, `on`, or the ports to look at: undefined where it is none of these. */
export function readDiscover(value: string): 'on' | 'off' | readonly number[] | undefined {
  const word = value.trim().toLowerCase()
  if (word === 'on' || word === 'off') return word
  const ports = word.split(',').map((port) => (/^\s*\d{1,5}\s*$/.test(port) ? Number(port) : 0))
  return ports.every((port) => port > 0 && port <= 65_535) ? ports : undefined
}

/** The services as the file would say them. */
export function toUpstreamsFile(found: readonly FoundService[]): Readonly<Record<string, object>> {
  return Object.fromEntries(
    found.map(({ name, url, flavour, key }) => [
      name,
      {
        kind: 'openai',
        url,
        ...(flavour !== undefined && flavour !== 'unknown' && { flavour }),
        ...(key !== undefined && { key }),
      },
    ]),
  )
}

/** Those that list a model; all of them where none does. */
export function servingModel(found: readonly FoundService[], model: string): readonly string[] {
  const listing = found.filter(({ models = [] }) => models.includes(model))
  return (listing.length > 0 ? listing : found).map(({ name }) => name)
}
