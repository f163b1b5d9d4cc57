import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { type Surroundings, surroundingsOfProcess } from '../config/surroundings.ts'

/** What a verb may touch: its two outputs, its inputs and the machine around it. */
export interface Terminal {
  readonly surroundings: Surroundings
  /** A person reads along. */
  readonly interactive: boolean
  /** The answer: standard output. */
  write(text: string): void
  /** Everything that is not the answer: standard error. */
  complain(text: string): void
  /** The bytes of a file, or of standard input for `-`. */
  open(path: string): AsyncIterable<Uint8Array | string>
  /** Marks text for the eye where colours are wanted; returns it unchanged elsewhere. */
  paint(style: Style, text: string): string
  /** Calls back on every request to stop; returns how to stop listening. */
  onInterrupt(listener: () => void): () => void
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

export function terminalOfProcess(): Terminal {
  const surroundings = surroundingsOfProcess()
  const { environment } = surroundings
  const colored = process.stdout.isTTY === true && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
  // A reader that has seen enough (`| head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  return {
    surroundings,
    interactive: process.stderr.isTTY === true,
    write: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
    open: (path) => (path === '-' ? process.stdin : createReadStream(resolve(surroundings.workingDirectory, path))),
    paint: (style, text) => (colored ? styleText(style, text, { validateStream: false }) : text),
    onInterrupt(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener)
      return () => void process.off('SIGINT', listener).off('SIGTERM', listener)
    },
  }
}
