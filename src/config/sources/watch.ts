import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'

export interface WatchOptions {
  readonly path: string
  /** The text in use: a change that came before the watch is noticed too. */
  readonly seen: string
  /** The file's text now; undefined when it is gone. */
  readonly readFile: (path: string) => string | undefined
  /** Called with every text that differs from the last; undefined when the file is gone or cannot be read. */
  readonly onChange: (text: string | undefined) => void
  /** Calls back whenever something in the folder may have changed; returns how to stop. */
  readonly watchFolder?: (folder: string, onEvent: () => void) => () => void
  /** Runs something later; returns how to call it off. */
  readonly later?: (run: () => void, ms: number) => () => void
}

const settleMs = 100
/** How long a file that is gone, empty or cut off may be one that is being written. */
const unfinishedMs = 1000

/**
 * Tells when a file's text has changed. The folder is watched, not the file: editors and config maps replace a file by
 * renaming another over it, and a watch on the old one would stay behind with it. A write in several steps is told
 * once it has settled, and a busy folder cannot put that off for ever. What looks like the first of these steps is given
 * a longer while to be followed by the others.
 */
export function watchFile({
  path,
  seen: initial,
  readFile,
  onChange,
  watchFolder = watchWithNode,
  later = afterWhile,
}: WatchOptions) {
  let seen: string | undefined = initial
  let callOffLook: (() => void) | undefined
  let callOffTell: (() => void) | undefined

  function read(): string | undefined {
    try {
      return readFile(path)
    } catch {
      // Not readable just now counts as gone: loading it again will say why.
      return undefined
    }
  }

  function look(): void {
    callOffLook = undefined
    const text = read()
    if (text !== seen && isUnfinished(text)) callOffTell ??= later(() => tell(read()), unfinishedMs)
    else tell(text)
  }

  function isUnfinished(text: string | undefined): boolean {
    return text === undefined || text.trim() === '' || seen?.startsWith(text) === true
  }

  function tell(text: string | undefined): void {
    callOffTell?.()
    callOffTell = undefined
    if (text === seen) return
    seen = text
    onChange(text)
  }

  const stopWatching = watchFolder(dirname(path), () => {
    callOffLook ??= later(look, settleMs)
  })

  look()
  return {
    close(): void {
      stopWatching()
      callOffLook?.()
      callOffTell?.()
    },
  }
}

/** How often a file is looked at unasked: links to other folders and mounts from other machines tell of no changes. */
const lookEveryMs = 2000

function watchWithNode(folder: string, onEvent: () => void): () => void {
  const timer = setInterval(onEvent, lookEveryMs).unref()
  const watcher = tryToWatch(folder, onEvent)
  return () => {
    clearInterval(timer)
    watcher?.close()
  }
}

/** A folder that is removed, and a machine that watches too much already, leave it to the looks. */
function tryToWatch(folder: string, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent)
    return watcher.on('error', () => watcher.close())
  } catch {
    return undefined
  }
}

function afterWhile(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
