import type { Terminal } from '../terminal/terminal.ts'
import { terminalWidth } from '../terminal/wrap.ts'

export interface Progress {
  /** What is being done now. */
  show(doing: string): void
  clear(): void
}

/** One line that says what is being done, on an interactive terminal. */
export function createProgress({
  interactive,
  complain,
  paint,
}: Pick<Terminal, 'interactive' | 'complain' | 'paint'>): Progress {
  let steps = 0
  return {
    show(doing) {
      if (!interactive) return
      steps += 1
      const line = `  ${frames[steps % frames.length]} ${doing}`
      complain(`\r\u001b[2K${paint('dim', line.slice(0, terminalWidth - 1))}`)
    },
    clear() {
      if (interactive && steps > 0) complain('\r\u001b[2K')
    },
  }
}

const frames = ['◐', '◓', '◑', '◒']
