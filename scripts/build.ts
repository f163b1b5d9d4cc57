import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'vite'
import { bundleProgram } from './bundle/bundle.ts'
import { writeConformanceCases } from './conformance-cases.ts'
import { writeDialectModules } from './dialect-modules.ts'

/** `npm run build`: `dist/` as it goes into the package, with the library, the program and the inspector's page. */
rmSync('dist', { recursive: true, force: true })
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
writeDialectModules('dist')
writeConformanceCases('dist')
await bundleProgram('dist/cli')
await build({ root: 'web' })
