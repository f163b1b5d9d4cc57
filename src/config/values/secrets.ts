type Environment = Readonly<Record<string, string | undefined>>

/** Resolves `env:NAME`; anything else is the secret itself. A variable that is not set is a problem, never an empty key. */
export function createSecretReader(
  environment: Environment,
  problem: (path: readonly PropertyKey[], message: string) => void,
) {
  return (value: string, path: readonly PropertyKey[]): string => {
    const variable = variableIn(value)
    if (variable !== undefined) {
      problem(path, `"${value}" would be used as the key itself. Write env:${variable}`)
      return value
    }
    if (/^bearer\s/i.test(value)) problem(path, 'expected the key alone, without "Bearer"')
    if (!value.startsWith('env:')) return value
    const name = value.slice('env:'.length)
    const secret = name === '' ? undefined : environment[name]
    if (name === '') problem(path, 'expected the name of an environment variable after "env:"')
    else if (secret === undefined) problem(path, `the environment variable ${name} is not set`)
    else if (secret.trim() === '') problem(path, `the environment variable ${name} is empty`)
    return secret?.trim() ?? ''
  }
}

/** How shells and other programs write a variable; a bare name of one counts, too. */
const spellings = [
  /^\$(?:env:)?([A-Z_][A-Z0-9_]*)$/,
  /^\$\{(?:env:)?([A-Za-z_]\w*)(?::?-[^}]*)?\}$/,
  /^%([A-Z_][A-Z0-9_]*)%$/,
  /^\{\{?\s*(?:env[:.])?([A-Za-z_]\w*)\s*\}\}?$/,
  /^(?:os\.environ\/|process\.env\.)([A-Za-z_]\w*)$/,
  /^env(?::\s+|[=.]|\s+)([A-Za-z_]\w*)$/,
  /^(?:ENV|Env):([A-Za-z_]\w*)$/,
  /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET))$/,
]

function variableIn(value: string): string | undefined {
  return spellings.map((spelling) => spelling.exec(value)?.[1]).find((name) => name !== undefined)
}

/** Whether all that stands below a path of the configuration is secret: a key, or a header, which may carry one. */
export function isSecret(path: readonly PropertyKey[]): boolean {
  if (path[0] === 'keys') return path.length < 3 || path[2] === 'key' || path[2] === 'hash'
  return path[0] === 'upstreams' && (path[2] === 'key' || path[2] === 'headers')
}

/** The configuration as it may be shown: literal secrets hidden, also those in addresses, `env:NAME` as it stands. */
export function hideSecrets<File>(file: File): File {
  return shown(file, []) as File
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
