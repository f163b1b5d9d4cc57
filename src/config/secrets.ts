import type { Problem } from './problems.ts'
import type { ConfigFile } from './schema.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Resolves `env:NAME`; anything else is the secret itself. A variable that is not set is a problem, never an empty key. */
export function createSecretReader(environment: Environment, problems: Problem[]) {
  return (value: string, path: readonly PropertyKey[]): string => {
    if (!value.startsWith('env:')) return value
    const name = value.slice('env:'.length)
    const secret = name === '' ? undefined : environment[name]
    if (name === '') problems.push({ path, message: 'expected the name of an environment variable after "env:"' })
    else if (secret === undefined) problems.push({ path, message: `the environment variable ${name} is not set` })
    else if (secret.trim() === '') problems.push({ path, message: `the environment variable ${name} is empty` })
    return secret?.trim() ?? ''
  }
}

/** The configuration as it may be shown: literal secrets and passwords in addresses hidden, `env:NAME` as it stands. */
export function hideSecrets(file: ConfigFile): ConfigFile {
  const upstreams = Object.entries(file.upstreams).map(([name, upstream]) => {
    if (!('url' in upstream)) return [name, upstream] as const
    const { key, ...rest } = upstream
    const shown = { ...rest, url: hidePassword(upstream.url) }
    return [name, key === undefined ? shown : { ...shown, key: hide(key) }] as const
  })
  const sessions = { ...file.sessions, store: hidePassword(file.sessions.store) }
  return { ...file, keys: file.keys.map(hide), upstreams: Object.fromEntries(upstreams), sessions }
}

function hide(secret: string): string {
  return secret.startsWith('env:') || secret === 'passthrough' ? secret : '***'
}

function hidePassword(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1***@')
}
