import type { Verb } from './arguments.ts'
import { config } from './config.ts'
import { connect } from './connect/connect.ts'
import { dialects } from './dialects.ts'
import { explain } from './explain/explain.ts'
import { keys } from './keys.ts'
import { prompt } from './prompt.ts'
import { serve } from './serve.ts'

/** Every verb, the one that runs without being named first. */
export const verbs: readonly Verb[] = [serve, explain, prompt, dialects, config, keys, connect]
