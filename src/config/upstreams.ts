import { parse } from 'yaml'
import type { Problem } from './problems.ts'
import type { ConfigFile } from './schema.ts'
import { readServiceUrl } from './service-url.ts'

type UpstreamFile = ConfigFile['upstreams'][string]
type RehearsalFile = Extract<UpstreamFile, { kind: 'rehearsal' }>

interface GateSettings {
  readonly concurrency?: number | undefined
  readonly queue?: number | undefined
}

interface OpenAiUpstreamSettings extends GateSettings {
  readonly kind: 'openai'
  readonly url: string
  /** The key itself, or `passthrough`. */
  readonly key?: string
  readonly forward: 'all' | readonly string[]
  readonly flavour?: string | undefined
  /** The tokens of context to ask for. */
  readonly context?: number | undefined
}

interface QwenChatUpstreamSettings extends GateSettings {
  readonly kind: 'qwen-chat'
  readonly url: string
  readonly key?: string
  readonly mode: 'replay' | 'stateful'
  readonly parent: 'response_id' | 'parent_id'
  readonly thinking: 'off' | 'on' | 'auto'
}

interface PoeUpstreamSettings extends GateSettings {
  readonly kind: 'poe'
  readonly url: string
  readonly key?: string
}

interface RehearsalUpstreamSettings {
  readonly kind: 'rehearsal'
  readonly prose: boolean
  readonly thinking: boolean
  readonly calls?: number
  readonly script: readonly string[]
  readonly usage: boolean
  readonly pieceSize: number
  readonly cut?: { readonly seed: number }
  readonly tokensPerSecond: number
}

export type UpstreamSettings =
  | OpenAiUpstreamSettings
  | QwenChatUpstreamSettings
  | PoeUpstreamSettings
  | RehearsalUpstreamSettings

/** What the settings of an upstream need beside its part of the file. */
export interface UpstreamReading {
  readonly problems: Problem[]
  readSecret(value: string, path: readonly PropertyKey[]): string
  /** A file named in the configuration; undefined when there is none. */
  readFile(path: string): string | undefined
}

export function toUpstreamSettings(name: string, file: UpstreamFile, reading: UpstreamReading): UpstreamSettings {
  switch (file.kind) {
    case 'openai':
      return withKey(name, { ...file, url: readServiceUrl(file.url) ?? file.url }, reading)
    case 'qwen-chat':
      return withKey(name, file, reading)
    case 'poe':
      return withKey(name, file, reading)
    case 'rehearsal':
      return toRehearsal(name, file, reading)
  }
}

/** What stands in the file, with the secret itself in the place of its name. */
function withKey<File extends { readonly key?: string | undefined }>(
  name: string,
  { key, ...file }: File,
  { readSecret }: UpstreamReading,
): Omit<File, 'key'> & { readonly key?: string } {
  return key === undefined ? file : { ...file, key: readSecret(key, ['upstreams', name, 'key']) }
}

function toRehearsal(name: string, file: RehearsalFile, reading: UpstreamReading): RehearsalUpstreamSettings {
  const { kind, prose, thinking, usage, calls, cut_seed: seed } = file
  return {
    kind,
    prose,
    thinking,
    usage,
    script: readScript(name, file.script, reading),
    pieceSize: file.piece_size,
    tokensPerSecond: file.tokens_per_second,
    ...(calls !== undefined && { calls }),
    ...(seed !== undefined && { cut: { seed } }),
  }
}

function readScript(
  name: string,
  script: string | readonly string[],
  { problems, readFile }: UpstreamReading,
): readonly string[] {
  if (typeof script !== 'string') return script
  const path = ['upstreams', name, 'script']
  try {
    const text = readFile(script)
    const answers: unknown = text === undefined ? undefined : parse(text)
    if (Array.isArray(answers) && answers.every((answer) => typeof answer === 'string')) return answers
    const message = text === undefined ? `there is no file "${script}"` : `expected a list of texts in "${script}"`
    problems.push({ path, message })
  } catch (error) {
    problems.push({ path, message: `"${script}" cannot be read (${(error as Error).message})` })
  }
  return []
}
