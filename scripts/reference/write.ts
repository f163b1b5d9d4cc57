import { writeFileSync } from 'node:fs'
import { files } from './make.ts'

/** Writes the files that are made from the program itself: `npm run reference`. */
for (const { path, text } of files()) writeFileSync(path, text)
