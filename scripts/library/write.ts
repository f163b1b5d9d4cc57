import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { apiReport, withApi } from './api.ts'
import { readDeclarations } from './declarations.ts'
import { dialectModules } from './dialects.ts'

/** Writes what is made from the program itself for those who use it as a library: `npm run library`. */
rmSync('src/library/dialects', { recursive: true, force: true })
mkdirSync('src/library/dialects', { recursive: true })
for (const { path, text } of dialectModules()) writeFileSync(path, text)
const declarations = readDeclarations()
writeFileSync('docs/api.md', apiReport(declarations))
writeFileSync('docs/library.md', withApi(readFileSync('docs/library.md', 'utf8'), declarations))
