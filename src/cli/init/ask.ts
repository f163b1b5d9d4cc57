import { readLines } from '../terminal/input.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface Questions {
  /** Asks until the answer is fit; an empty one is the default. `complain` says what is wrong with one. */
  text(question: string, standard: string, complain: (text: string) => string | undefined): Promise<string>
  yes(question: string, standard: boolean): Promise<boolean>
  close(): void
}

/** Questions to the person at the terminal. At the end of the input every answer is the default. */
export function createQuestions(terminal: Terminal): Questions {
  const lines = readLines(terminal, '-')

  async function answer(shown: string): Promise<string | undefined> {
    terminal.complain(`${terminal.paint('bold', '?')} ${shown} `)
    const { value, done } = await lines.next()
    return done === true ? undefined : value.trim()
  }

  return {
    async text(question, standard, complain) {
      for (;;) {
        const said = await answer(standard === '' ? `${question}:` : `${question} (${standard}):`)
        if (said === undefined || said === '') return standard
        const wrong = complain(said)
        if (wrong === undefined) return said
        terminal.complain(`  ${wrong}\n`)
      }
    },
    async yes(question, standard) {
      for (;;) {
        const said = (await answer(`${question} [${standard ? 'Y/n' : 'y/N'}]`))?.toLowerCase()
        if (said === undefined || said === '') return standard
        if (/^(?:y|yes|n|no)$/.test(said)) return said.startsWith('y')
        terminal.complain('  Please answer y or n.\n')
      }
    },
    close: () => void lines.return(undefined),
  }
}
