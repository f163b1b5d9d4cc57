import { readFileSync, writeFileSync } from 'node:fs'
import { apiReport, withApi } from './api.ts'
import { readDeclarations } from './declarations.ts'
import { files } from './reference.ts'

/** `npm run generate`: writes what is made from the program itself, the reference and the lists of what can be imported. */
for (const { path, text } of files()) writeFileSync(path, text)
const declarations = readDeclarations()
writeFileSync('docs/api.md', apiReport(declarations))
writeFileSync('docs/library.md', withApi(readFileSync('docs/library.md', 'utf8'), declarations))
