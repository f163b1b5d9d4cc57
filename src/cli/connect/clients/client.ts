/** What a client has to be told. */
export interface Target {
  /** With `/v1`. */
  readonly url: string
  readonly model: string
  readonly key: string
  /** How many tokens the model takes, where the gateway knows. */
  readonly context?: number
}

/** A file of the client, and what has to stand in it. What else stands there is left alone. */
export interface SettingsFile {
  /** Relative to the user's home, or to the folder the client works in. */
  readonly place: 'home' | 'here'
  readonly path: string
  readonly format: 'json' | 'yaml' | 'toml' | 'env'
  readonly value: Readonly<Record<string, unknown>>
  /** What a new file needs beside them. */
  readonly frame?: Readonly<Record<string, unknown>>
}

/** How a client is started with the settings, leaving its own files alone. */
export interface Start {
  /** Come before the user's own. */
  readonly args?: readonly string[]
  /** Variables for it; undefined takes one away that would lead it elsewhere. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Where the user gave no arguments. */
  readonly standard?: readonly string[]
}

export interface Launch {
  /** Its name on the PATH; absent where the user names the program. */
  readonly program?: string
  /** How to get it. */
  readonly install?: string
  /** It has no way to send a key. */
  readonly keyless?: boolean
  /** `keep` puts a file into a folder that is there while the client runs, and returns its path. */
  start(target: Target, keep: (name: string, text: string) => string): Start
}

export interface Client {
  readonly name: string
  readonly title: string
  settings(target: Target): SettingsFile
  /** What is left to do by hand. */
  hints(target: Target): readonly string[]
  /** Absent for one that is no program of its own. */
  readonly launch?: Launch
}

/** Clients pick limits of their own where they are not told any; these fit most models that can drive an agent. */
export function limitOf({ context = 128_000 }: Target): { readonly context: number; readonly output: number } {
  return { context, output: Math.min(32_000, Math.floor(context / 4)) }
}

/** The gateway without `/v1`, for clients that add it themselves or have other paths. */
export function originOf({ url }: Target): string {
  return url.replace(/\/v1\/?$/, '')
}
