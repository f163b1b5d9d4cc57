import { cpSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The projects in `examples/`, beside the installed package, with what else they import. */
export function layExamples(installed: string): string {
  const folder = join(dirname(installed), 'examples')
  cpSync('examples', folder, { recursive: true })
  for (const name of ['ai', 'openai', '@ai-sdk', '@types']) {
    symlinkSync(resolve('node_modules', name), join(installed, name))
  }
  return folder
}
