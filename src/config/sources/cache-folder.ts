import { posix, win32 } from 'node:path'
import type { Surroundings } from './surroundings.ts'

/** Where programs keep what they can make again at any time. */
export function userCacheFolder({ environment, homeDirectory, platform }: Surroundings): string {
  if (platform === 'win32') {
    const local = environment['LOCALAPPDATA'] || win32.join(homeDirectory, 'AppData', 'Local')
    return win32.join(local, 'dragoman', 'cache')
  }
  return posix.join(environment['XDG_CACHE_HOME'] || posix.join(homeDirectory, '.cache'), 'dragoman')
}
