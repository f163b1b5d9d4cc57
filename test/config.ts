import * as load from '../src/config/load.ts'
import * as schema from '../src/config/schema.ts'
import { rehearsal } from '../src/rehearsal/kind.ts'
import { kinds as registered } from '../src/upstreams/registry.ts'

/** The configuration with every kind of upstream handed in, as the program does it. */
const all = [...registered, rehearsal]

export function loadConfig(options: Omit<load.LoadOptions, 'kinds'> & Partial<load.LoadOptions>): load.Config {
  return load.loadConfig({ kinds: all, ...options })
}

export function createConfigSchema(
  dialects: readonly string[],
  flavours: readonly string[] = [],
  kinds: schema.Vocabulary['kinds'] = all,
) {
  return schema.createConfigSchema({ dialects, flavours, kinds })
}

export function toConfigJsonSchema(dialects: readonly string[]): object {
  return schema.toConfigJsonSchema({ dialects, kinds: all })
}
