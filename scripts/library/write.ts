import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dialectModules } from './dialects.ts'

/** Writes what is made from the program itself for those who use it as a library: `npm run library`. */
rmSync('src/library/dialects', { recursive: true, force: true })
mkdirSync('src/library/dialects', { recursive: true })
for (const { path, text } of dialectModules()) writeFileSync(path, text)
