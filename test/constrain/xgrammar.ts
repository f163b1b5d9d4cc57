import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction, constants } from 'node:vm'
import type * as Xgrammar from '@mlc-ai/web-xgrammar'

/** The package calls itself a module and is a script: it is loaded as what it is. */
function load(): typeof Xgrammar {
  const require = createRequire(import.meta.url)
  const file = require.resolve('@mlc-ai/web-xgrammar')
  const run = compileFunction(readFileSync(file, 'utf8'), ['exports', 'module', 'require', '__filename'], {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const module = { exports: {} }
  run(module.exports, module, require, file)
  return module.exports as typeof Xgrammar
}

export const xgrammar = load()
