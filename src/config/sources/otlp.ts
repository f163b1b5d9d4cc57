import type { Problem } from '../problems.ts'
import type { Surroundings } from './surroundings.ts'

/** Where spans are sent, over OTLP/HTTP. */
export interface OtlpSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** What the spans are of: `service.name` and the like. */
  readonly resource: Readonly<Record<string, string>>
}

/** OpenTelemetry's own variables; undefined where they ask for no spans. */
export function readOtlp(environment: Surroundings['environment'], problems: Problem[]): OtlpSettings | undefined {
  const read = (name: string): string => environment[`OTEL_${name}`]?.trim() ?? ''
  const own = read('EXPORTER_OTLP_TRACES_ENDPOINT')
  const base = read('EXPORTER_OTLP_ENDPOINT')
  const isOff = read('SDK_DISABLED').toLowerCase() === 'true' || read('TRACES_EXPORTER') === 'none'
  if (isOff || (own === '' && base === '')) return undefined
  const url = own === '' ? `${base.replace(/\/+$/, '')}/v1/traces` : own
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    const message = 'expected the address of an OTLP/HTTP receiver such as http://localhost:4318'
    problems.push({ path: [], where: `OTEL_EXPORTER_OTLP_${own === '' ? '' : 'TRACES_'}ENDPOINT`, message })
  }
  return {
    url,
    headers: { ...readPairs(read('EXPORTER_OTLP_HEADERS')), ...readPairs(read('EXPORTER_OTLP_TRACES_HEADERS')) },
    resource: {
      'service.name': 'dragoman',
      ...readPairs(read('RESOURCE_ATTRIBUTES')),
      ...(read('SERVICE_NAME') !== '' && { 'service.name': read('SERVICE_NAME') }),
    },
  }
}

/** `a=1,b=2`, the values with `%20` and the like. */
function readPairs(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at === -1 ? [] : [[pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())] as const]
  })
  return Object.fromEntries(pairs)
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
