import { run } from './run.ts'
import { terminalOfProcess } from './terminal/terminal.ts'
import { verbs } from './verbs.ts'
import { readVersion } from './version.ts'

/** The program, on a Node that can run it. Resolves with the exit code. */
export function runProgram(): Promise<number> {
  return run(verbs, process.argv.slice(2), terminalOfProcess(), readVersion())
}
