import type { Problem } from './problems.ts'
import type { UpstreamFile } from './schema.ts'
import type { UpstreamFields } from './values/fields.ts'

/** What an upstream is made by. Only its kind knows more of it. */
export interface UpstreamSettings {
  readonly kind: string
}

/** What the settings of an upstream need beside its part of the file. */
export interface UpstreamReading {
  readonly problems: Problem[]
  readonly kinds: readonly UpstreamFields[]
  readSecret(value: string, path: readonly PropertyKey[]): string
  /** A file named in the configuration; undefined when there is none. */
  readFile(path: string): string | undefined
}

export function toUpstreamSettings(name: string, file: UpstreamFile, reading: UpstreamReading): UpstreamSettings {
  const { kinds, problems, readFile } = reading
  const read = withSecrets(name, file, reading)
  const { toSettings } = kinds.find(({ kind }) => kind === file.kind) ?? {}
  if (toSettings === undefined) return read
  const problem = (field: string, message: string) => void problems.push({ path: ['upstreams', name, field], message })
  return { ...toSettings(read, { problem, readFile }), kind: file.kind }
}

/** What stands in the file, with the secrets themselves in the place of their names. */
function withSecrets(name: string, file: UpstreamFile, { readSecret }: UpstreamReading): UpstreamFile {
  const { key, proxy } = file
  return {
    ...file,
    ...(key !== undefined && { key: readSecret(key, ['upstreams', name, 'key']) }),
    ...(proxy !== undefined && { proxy: readSecret(proxy, ['upstreams', name, 'proxy']) }),
  }
}
