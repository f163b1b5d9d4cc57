import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** Loaded before the program: this Node says it is an old one, and tells of every package that is loaded all the same. */
const disguise = `data:text/javascript,${encodeURIComponent(
  [
    "import { registerHooks } from 'node:module'",
    "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })",
    'registerHooks({ resolve(specifier, context, next) {',
    "  if (!/^(?:node|file|data):|^[./]/.test(specifier)) process.stdout.write('loaded ' + specifier + '\\\\n')",
    '  return next(specifier, context)',
    '} })',
  ].join('\n'),
)}`

test.each(['src/cli/main.ts', 'scripts/run.mjs'])(
  '%s on a Node that is too old is one line, before any package is loaded',
  async (entry) => {
    const failure = await run(process.execPath, ['--import', disguise, resolve(entry)]).catch((error) => error)
    expect(failure).toMatchObject({ code: 1, stdout: '' })
    expect(failure.stderr).toMatch(/^Dragoman needs Node 22\.19 or newer, and this is Node 20\.20\.2\. .+\n$/)
  },
)

/** The machine's own Node, where it is another than the one that runs the tests. */
const system = ['/usr/local/bin/node', '/usr/bin/node', '/bin/node'].find(existsSync) ?? process.execPath

test("a checkout says on the machine's own Node what it needs, or runs", async () => {
  const outcome = await run(system, [resolve('scripts/run.mjs'), '--version']).catch((error) => error)
  const said = `${outcome.stdout}${outcome.stderr}`
  expect(said).toMatch(/^(?:\d+\.\d+\.\d+|Dragoman needs Node 22\.19 or newer, and this is Node [\d.]+\. .+)\n$/)
})
