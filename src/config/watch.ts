import { watch } from 'node:fs'
import { dirname } from 'node:path'

export interface WatchOptions {
  readonly path: string
  /** The text in use: a change that came before the watch is noticed too. */
  readonly seen: string
  /** The file's text now; undefined when it is gone. */
  readonly readFile: (path: string) => string | undefined
  /** Called once for every text that differs from the last. */
  readonly onChange: () => void
  /** Calls back whenever something in the folder may have changed; returns how to stop. */
  readonly watchFolder?: (folder: string, onEvent: () => void) => () => void
  /** Runs something a little later; returns how to call it off. */
  readonly later?: (run: () => void) => () => void
}

const settleMs = 100

/**
 * Tells when a file's text has changed. The folder is watched, not the file: editors and config maps replace a file by
 * renaming another over it, and a watch on the old one would stay behind with it. A write in several steps is told
 * once it has settled, and a busy folder cannot put that off for ever.
 */
export function watchFile({
  path,
  seen: initial,
  readFile,
  onChange,
  watchFolder = watchWithNode,
  later = afterSettling,
}: WatchOptions) {
  let seen: string | undefined = initial
  let callOff: (() => void) | undefined

  function read(): string | undefined {
    try {
      return readFile(path)
    } catch {
      // Not readable just now counts as gone: loading it again will say why.
      return undefined
    }
  }

  function look(): void {
    callOff = undefined
    const text = read()
    if (text === seen) return
    seen = text
    onChange()
  }

  const stopWatching = watchFolder(dirname(path), () => {
    callOff ??= later(look)
  })

  look()
  return {
    close(): void {
      stopWatching()
      callOff?.()
    },
  }
}

function watchWithNode(folder: string, onEvent: () => void): () => void {
  const watcher = watch(folder, { persistent: false }, onEvent)
  // A folder that is removed ends the watch; the configuration in use stays.
  watcher.on('error', () => watcher.close())
  return () => watcher.close()
}

function afterSettling(run: () => void): () => void {
  const timer = setTimeout(run, settleMs)
  return () => clearTimeout(timer)
}
