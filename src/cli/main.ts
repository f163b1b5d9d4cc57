#!/usr/bin/env node
import { reuseCompiled } from './node/compiled.ts'
import { complainOfNode } from './node/version.ts'
import { readManifest } from './package.ts'

// The program is loaded only on a Node that can load it: an older one would fail somewhere inside a package.
const complaint = complainOfNode(process.versions.node, readManifest().engines.node)
if (complaint === undefined) {
  reuseCompiled()
  const { runProgram } = await import('./run.ts')
  process.exitCode = await runProgram()
} else {
  process.stderr.write(`${complaint}\n`)
  process.exitCode = 1
}
