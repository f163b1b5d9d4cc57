import type { Problem } from '../problems.ts'

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
