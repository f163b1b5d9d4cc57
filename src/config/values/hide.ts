import type { ConfigFile } from '../schema.ts'

/** Whether all that stands below a path of the configuration is secret: a key, or a header, which may carry one. */
export function isSecret(path: readonly PropertyKey[]): boolean {
  if (path[0] === 'keys') return path.length < 3 || path[2] === 'key' || path[2] === 'hash'
  return path[0] === 'upstreams' && (path[2] === 'key' || path[2] === 'headers')
}

/** The configuration as it may be shown: literal secrets hidden, also those in addresses, `env:NAME` as it stands. */
export function hideSecrets(file: ConfigFile): ConfigFile {
  return shown(file, []) as ConfigFile
}

function shown(value: unknown, path: readonly string[]): unknown {
  if (typeof value === 'string') return isSecret(path) ? hide(value) : hideInUrl(value)
  if (Array.isArray(value)) return value.map((item, index) => shown(item, [...path, String(index)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shown(item, [...path, name])]))
}

function hide(secret: string): string {
  return secret.startsWith('env:') || secret === 'passthrough' ? secret : '***'
}

const address = /^([a-z][a-z0-9+.-]*:\/\/)([^?#]*)(\?[^#]*)?(#.*)?$/is

/** Parameters that choose a version and open nothing. */
const harmless = new Set(['api-version', 'api_version', 'version'])

/** What keys look like where one stands in a path. */
const keyInPath =
  /(?<=\/)(?:(?:sk|pk|rk|gsk|hf|xai|nvapi|gh[pousr])[-_][\w.-]{8,}|AIza[\w-]{20,}|eyJ[\w-]{6,}\.[\w.-]+)(?=\/|$)/g

/** An address without what may open a door: name and password, keys in its path, the values of its query. Other text stays. */
export function hideInUrl(text: string): string {
  const [, scheme, rest = '', query = '', fragment = ''] = address.exec(text) ?? []
  if (scheme === undefined) return text
  // A password may hold a slash, though that makes an address which is none: then all up to the last @ may be it.
  const place = rest.replace(URL.canParse(text) ? /^[^/]*@/ : /^.*@/s, '***@').replace(keyInPath, '***')
  return `${scheme}${place}${hideInQuery(query)}${fragment === '' ? '' : '#***'}`
}

function hideInQuery(query: string): string {
  if (query === '') return ''
  const shownPairs = query
    .slice(1)
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1)
      if (pair === '' || harmless.has(name.toLowerCase())) return pair
      return pair.includes('=') ? `${name}=***` : '***'
    })
  return `?${shownPairs.join('&')}`
}
