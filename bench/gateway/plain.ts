import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, join } from 'node:path'

/**
 * The bench's own programs as plain JavaScript, in a folder from which packages are found: a process that strips types has a
 * compiler in its memory, and would be measured with it.
 */
const folder = join(import.meta.dirname, '../../node_modules/.cache/dragoman-bench')
const files = [
  'answers.ts',
  'load.ts',
  'meter.ts',
  'parsed.ts',
  'passed.ts',
  'requests.ts',
  'response.ts',
  'service.ts',
  'tool-parser.ts',
]

mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
for (const file of [...files, '../measure.ts']) {
  const text = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, file), 'utf8'))
  writeFileSync(plainOf(file), text.replaceAll(/(from '\.)\.?\/([\w-]+)\.ts'/g, "$1/$2.js'"))
}
writeFileSync(join(folder, 'metered.js'), "import { serveMeter } from './meter.js'\n\nserveMeter()\n")

/** Where a program of this folder is as plain JavaScript. */
export function plainOf(file: string): string {
  return join(folder, `${basename(file, '.ts')}.js`)
}
