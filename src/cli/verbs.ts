import type { Verb } from './arguments.ts'
import { defineCompletion } from './completion/completion.ts'
import { config } from './config.ts'
import { connect } from './connect/connect.ts'
import { dialects } from './dialects.ts'
import { doctor } from './doctor/doctor.ts'
import { explain } from './explain/explain.ts'
import { init } from './init/init.ts'
import { keys } from './keys.ts'
import { launch } from './launch/launch.ts'
import { prompt } from './prompt.ts'
import { serve } from './serve.ts'
import { tune } from './tune/tune.ts'

/** Every verb, the one that runs without being named first. */
export const verbs: readonly Verb[] = [
  serve,
  doctor,
  tune,
  explain,
  prompt,
  dialects,
  config,
  keys,
  connect,
  launch,
  init,
  defineCompletion(() => verbs),
]
