// Puts the program into the package: see bundle.ts.
import { join } from 'node:path'
import { bundleProgram } from './bundle.ts'

await bundleProgram(join(import.meta.dirname, '../../dist/cli'))
