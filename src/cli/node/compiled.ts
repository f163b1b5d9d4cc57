import module from 'node:module'
import { surroundingsOfProcess, userCacheFolder } from '../../config/sources/surroundings.ts'

/**
 * From now on modules are loaded as they were compiled by an earlier start: a third of its time is saved. In the
 * user's own folder: write access to it is control over the program. Without it nothing is saved.
 */
export function reuseCompiled(): void {
  module.enableCompileCache(userCacheFolder(surroundingsOfProcess()))
}

/** The environment of a process of ours that does the same from its first module on. */
export function environmentWithCompiled(): NodeJS.ProcessEnv {
  const surroundings = surroundingsOfProcess()
  return { NODE_COMPILE_CACHE: userCacheFolder(surroundings), ...surroundings.environment }
}
