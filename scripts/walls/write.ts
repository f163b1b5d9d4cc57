import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { toRules, withTable } from './make.ts'

writeFileSync('biome.walls.json', `${JSON.stringify(toRules(), null, 2)}\n`)
spawnSync('node_modules/.bin/biome', ['format', '--write', 'biome.walls.json'], { stdio: 'inherit' })
writeFileSync('ARCHITECTURE.md', withTable(readFileSync('ARCHITECTURE.md', 'utf8')))
