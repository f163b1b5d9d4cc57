import type { Problem } from '../problems.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Resolves `env:NAME`; anything else is the secret itself. A variable that is not set is a problem, never an empty key. */
export function createSecretReader(environment: Environment, problems: Problem[]) {
  return (value: string, path: readonly PropertyKey[]): string => {
    const variable = variableIn(value)
    if (variable !== undefined) {
      problems.push({ path, message: `"${value}" would be used as the key itself. Write env:${variable}` })
      return value
    }
    if (/^bearer\s/i.test(value)) problems.push({ path, message: 'expected the key alone, without "Bearer"' })
    if (!value.startsWith('env:')) return value
    const name = value.slice('env:'.length)
    const secret = name === '' ? undefined : environment[name]
    if (name === '') problems.push({ path, message: 'expected the name of an environment variable after "env:"' })
    else if (secret === undefined) problems.push({ path, message: `the environment variable ${name} is not set` })
    else if (secret.trim() === '') problems.push({ path, message: `the environment variable ${name} is empty` })
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
