import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../load.ts'
import { ConfigError, type Problem } from '../problems.ts'
import { type Address, isLoopback, printAddress } from '../values/address.ts'

/**
 * What a new configuration changes, in sentences. Throws a ConfigError for one that would leave an open address without
 * keys, or that has lost settings. The gateway listens on `address` since it was started with the `initial` one.
 */
export function reviewReload(
  { initial, current, next }: Readonly<Record<'initial' | 'current' | 'next', Config>>,
  address: Address,
): string[] {
  if (next.settings.keys.length === 0 && !isLoopback(address.host)) {
    const message = `must not be empty while the gateway listens on ${printAddress(address)}`
    throw new ConfigError([{ path: ['keys'], message }])
  }
  checkReload(current, next)
  const changes = describeReload(current, next)
  if (printAddress(initial.settings.listen) !== printAddress(next.settings.listen))
    changes.push('Another address to listen on needs a restart.')
  return changes
}

/** What a process that goes on running cannot take up. */
export function describeRestart(initial: Config, next: Config): string[] {
  return [...next.fixed].flatMap(([path, value]) =>
    isDeepStrictEqual(value, initial.fixed.get(path)) ? [] : [`The change of \`${path}\` needs a restart.`],
  )
}

/**
 * Throws for a file that says less than its author can mean: an editor or a full disk leaves files empty or cut off, and
 * what is missing then must not open the gateway.
 */
function checkReload(current: Config, next: Config): void {
  const problems: Problem[] = []
  const where = next.file?.path
  const at = where === undefined ? {} : { where }
  if (next.inFile.size === 0 && current.inFile.size > 0) {
    problems.push({
      path: [],
      ...at,
      message: 'has no settings in it any more. Put them back, or restart the gateway without them',
    })
  } else if (current.settings.keys.length > 0 && next.settings.keys.length === 0 && !next.inFile.has('keys')) {
    const message =
      'missing, but the gateway is running with client keys. Put them back, or write `keys: []` to run without any'
    problems.push({ path: ['keys'], ...at, message })
  }
  if (problems.length > 0) throw new ConfigError(problems)
}

/** What a new configuration changes, in sentences. Keys are counted, never shown. */
function describeReload(current: Config, next: Config): string[] {
  return [
    describeKeys(hashesOf(current), hashesOf(next)),
    describeNames('Doors', current.settings.doors, next.settings.doors),
    describeNames('Upstreams', [...current.settings.upstreams.keys()], [...next.settings.upstreams.keys()]),
    describeNames('Models', namesOf(current), namesOf(next)),
  ].filter((sentence) => sentence !== undefined)
}

const hashesOf = ({ settings }: Config): readonly string[] => settings.keys.map(({ hash }) => hash)

const namesOf = ({ settings }: Config): readonly string[] => settings.models.map(({ name }) => name)

function describeKeys(before: readonly string[], after: readonly string[]): string | undefined {
  const { added, removed } = compare(before, after)
  if (added.length === 0 && removed.length === 0) return undefined
  if (after.length === 0) return 'Client keys: all removed. Every program on this machine can use the gateway now.'
  return `Client keys: ${added.length} added, ${removed.length} removed.`
}

const mostNames = 8

function describeNames(what: string, before: readonly string[], after: readonly string[]): string | undefined {
  const { added, removed } = compare(before, after)
  const parts = [['added', added] as const, ['removed', removed] as const].flatMap(([word, names]) => {
    if (names.length === 0) return []
    const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
    return [`${word} ${names.slice(0, mostNames).join(', ')}${more}`]
  })
  return parts.length === 0 ? undefined : `${what}: ${parts.join('; ')}.`
}

function compare(before: readonly string[], after: readonly string[]) {
  return {
    added: after.filter((each) => !before.includes(each)),
    removed: before.filter((each) => !after.includes(each)),
  }
}
