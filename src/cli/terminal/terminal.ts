import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { type Surroundings, surroundingsOfProcess } from '../../config/sources/surroundings.ts'
import { terminalWidth } from './layout.ts'
import { createParentWatch } from './parent.ts'

/** What a verb may touch: its two outputs, its inputs and the machine around it. */
export interface Terminal {
  readonly surroundings: Surroundings
  /** A person reads along. */
  readonly interactive: boolean
  /** How many characters a line of standard error holds; 80 where that is unknown. */
  readonly columns: number
  /** A person can be asked. */
  readonly asks: boolean
  /** The answer: standard output. */
  write(text: string): void
  /** Everything that is not the answer: standard error. */
  complain(text: string): void
  /** From now on a reader of the answer that goes away is no reason to end. */
  outlastReaders(): void
  /** The bytes of a file, or of standard input for `-`. */
  open(path: string): AsyncIterable<Uint8Array | string>
  /** Marks text for the eye where colours are wanted; returns it unchanged elsewhere. */
  paint(style: Style, text: string): string
  /** Calls back on every request to stop; returns how to stop listening. */
  onInterrupt(listener: () => void): () => void
  /** Calls back when the program is told to take up its configuration anew (SIGHUP); a terminal that closes says the same, and means another thing. */
  onReload(listener: () => void): void
  /** Calls back with an uncaught error, once: the program can finish what it has, and must end. */
  onCrash(listener: (cause: unknown) => void): void
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

export function terminalOfProcess(): Terminal {
  const surroundings = surroundingsOfProcess()
  const { environment } = surroundings
  const colored = process.stdout.isTTY === true && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
  let outlasting = false
  // A reader that has seen enough (`| head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (outlasting) return
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  process.stderr.on('error', () => undefined)
  return {
    surroundings,
    interactive: process.stderr.isTTY === true,
    get columns() {
      return process.stderr.columns || terminalWidth
    },
    asks: process.stdin.isTTY === true && process.stderr.isTTY === true,
    write: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
    outlastReaders() {
      outlasting = true
    },
    open: (path) => (path === '-' ? process.stdin : createReadStream(resolve(surroundings.workingDirectory, path))),
    paint: (style, text) => (colored ? styleText(style, text, { validateStream: false }) : text),
    onInterrupt: environment['npm_lifecycle_event'] ? listenUnderNpm(surroundings) : listen,
    onReload(listener) {
      if (!hasTerminal()) process.on('SIGHUP', listener)
    },
    onCrash(listener) {
      let told = false
      // What else breaks on the way out has the same cause, or none that matters any more.
      process.on('uncaughtException', (cause) => {
        if (!told) listener(cause)
        told = true
      })
    },
  }
}

function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY === true)
}

function listen(listener: () => void): () => void {
  // Stays for good: between two listeners a signal would otherwise end the program on the spot.
  if (!process.listeners('SIGINT').includes(ignore)) process.on('SIGINT', ignore).on('SIGTERM', ignore)
  process.on('SIGINT', listener).on('SIGTERM', listener)
  return () => void process.off('SIGINT', listener).off('SIGTERM', listener)
}

function ignore(): void {
  // Keeps the default action away.
}

const parentEveryMs = 250
/** Ctrl+C goes to npm and to us, and npm passes its own on: both come within milliseconds and count once. */
const echoMs = 500

/** As `listen`, for a program that npm or one of its kind has started: it ends with that one. */
function listenUnderNpm({ readFile }: Surroundings): Terminal['onInterrupt'] {
  let signalledAt = Number.NEGATIVE_INFINITY
  const watchParent = createParentWatch({
    parent: () => process.ppid,
    readFile,
    every(run) {
      const timer = setInterval(run, parentEveryMs).unref()
      return () => clearInterval(timer)
    },
  })
  return (listener) => {
    // A parent that has ended meanwhile is no second interrupt.
    const stopWatching = signalledAt === Number.NEGATIVE_INFINITY ? watchParent(listener) : () => undefined
    const stopListening = listen(() => {
      if (performance.now() - signalledAt < echoMs) return
      signalledAt = performance.now()
      listener()
    })
    return () => {
      stopWatching()
      stopListening()
    }
  }
}
