import module from 'node:module'
import { surroundingsOfProcess, userCacheFolder } from '../../config/sources/surroundings.ts'

/**
 * From now on modules are loaded as they were compiled by an earlier start: a third of its time is saved. In a folder of the
 * user's own, because whoever can write there can make the program do anything. Where it cannot be written, nothing is saved.
 */
export function reuseCompiled(): void {
  module.enableCompileCache(userCacheFolder(surroundingsOfProcess()))
}

/** The environment of a process of ours that does the same from its first module on. */
export function environmentWithCompiled(): NodeJS.ProcessEnv {
  const surroundings = surroundingsOfProcess()
  return { NODE_COMPILE_CACHE: userCacheFolder(surroundings), ...surroundings.environment }
}
