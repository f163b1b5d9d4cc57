// Puts the program into the package, or into another folder that is named: see bundle.ts.
import { join, resolve } from 'node:path'
import { bundleProgram } from './bundle.ts'

const [folder = join(import.meta.dirname, '../../dist/cli')] = process.argv.slice(2)
await bundleProgram(resolve(folder))
