import type { Settings } from '../../edit/settings.ts'

/** What a client has to be told. */
export interface Target {
  /** With `/v1`. */
  readonly url: string
  readonly model: string
  readonly key: string
  /** The key lets people in: it has no place in a file that is shared. */
  readonly isSecret: boolean
  /** How many tokens the model takes. */
  readonly context: number
}

/** A file of the client, and what has to stand in it. What else stands there is left alone. */
export interface SettingsFile extends Settings {
  /** Relative to the user's home, to the folder for settings (`~/.config`), or to the folder the client works in. */
  readonly place: 'home' | 'config' | 'here'
  readonly path: string
  /** Other names of that file: the first one that is there is taken. */
  readonly orElse?: readonly string[]
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

/** Settings in a folder that is shared: they never hold a key. */
export interface ProjectSettings {
  /** How the file refers to a variable; absent: it cannot, and the key goes into the user's own file. */
  readonly reference?: string
  /** A target without a key is one whose key stands elsewhere. */
  settings(target: ProjectTarget): SettingsFile
}

export type ProjectTarget = Omit<Target, 'key'> & { readonly key?: string }

export interface Client {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly title: string
  /** The user's own settings. */
  settings(target: Target): SettingsFile
  /** Absent: it reads none from the folder it works in. */
  readonly project?: ProjectSettings
  /** It is told at least this many tokens of context: with less it does not work. */
  readonly leastContext?: number
  /** What is left to do by hand, with the settings in these files. */
  hints(target: Target, paths: readonly string[]): readonly string[]
  /** Absent for one that is no program of its own. */
  readonly launch?: Launch
}

/** Clients pick limits of their own where they are not told any. */
export function limitOf({ context }: Pick<Target, 'context'>): { readonly context: number; readonly output: number } {
  return { context, output: Math.min(32_000, Math.floor(context / 4)) }
}

/** The gateway without `/v1`, for clients that add it themselves or have other paths. */
export function originOf({ url }: Pick<Target, 'url'>): string {
  return url.replace(/\/v1\/?$/, '')
}
