import type { Verb } from './arguments.ts'

/** A verb, loaded when it is needed: a start does not wait for the others. */
export interface VerbEntry {
  readonly name: string
  load(): Promise<Verb>
}

/** Every verb, the one that runs without being named first. */
export const verbs: readonly VerbEntry[] = [
  { name: 'serve', load: async () => (await import('./serve/serve.ts')).serve },
  { name: 'doctor', load: async () => (await import('./doctor/doctor.ts')).doctor },
  { name: 'tune', load: async () => (await import('./tune/tune.ts')).tune },
  { name: 'explain', load: async () => (await import('./explain/explain.ts')).explain },
  { name: 'prompt', load: async () => (await import('./prompt.ts')).prompt },
  { name: 'dialects', load: async () => (await import('./dialects.ts')).dialects },
  { name: 'config', load: async () => (await import('./config/config.ts')).config },
  { name: 'keys', load: async () => (await import('./keys/keys.ts')).keys },
  { name: 'connect', load: async () => (await import('./connect/connect.ts')).connect },
  { name: 'launch', load: async () => (await import('./launch/launch.ts')).launch },
  { name: 'init', load: async () => (await import('./init/init.ts')).init },
  { name: 'conformance', load: async () => (await import('./conformance/conformance.ts')).conformance },
  {
    name: 'completion',
    load: async () => (await import('./completion.ts')).defineCompletion(() => loadAll(verbs)),
  },
]

export function loadAll(entries: readonly VerbEntry[]): Promise<readonly Verb[]> {
  return Promise.all(entries.map((entry) => entry.load()))
}
