#!/usr/bin/env node
import { run } from './run.ts'
import { terminalOfProcess } from './terminal.ts'
import { verbs } from './verbs.ts'
import { readVersion } from './version.ts'

process.exitCode = await run(verbs, process.argv.slice(2), terminalOfProcess(), readVersion())
