import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startGateway } from '../dragoman.ts'

/**
 * `npx node test/schemathesis/run.ts -n 200`: puts requests made from `/openapi.json`, right and wrong, to the real gateway. Needs Python 3;
 * schemathesis itself is installed from PyPI into a cache folder. All that is given goes on to it.
 */

const folder = resolve('node_modules/.cache/schemathesis')
const program = join(folder, 'bin/schemathesis')

if (!existsSync(program)) {
  run('python3', ['-m', 'venv', folder])
  run(join(folder, 'bin/pip'), ['install', '--quiet', 'schemathesis'])
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`, { cause: error })
}

const gateway = await startGateway({ config: { upstreams: { stand: { kind: 'rehearsal' } }, models: { stand: {} } } })
gateway.child.stderr.resume()
const args = [
  ...['run', `${gateway.origin}/openapi.json`, '--checks', 'all', '--no-color'],
  // Rules between fields, such as "stream_options needs stream", are no part of a JSON Schema. The others need links and keys.
  ...['--exclude-checks', 'positive_data_acceptance,ignored_auth,use_after_free,ensure_resource_availability'],
  ...process.argv.slice(2),
]
const child = spawn(program, args, { stdio: 'inherit', cwd: gateway.folder })
process.exitCode = await new Promise<number>((done) => child.on('close', (code) => done(code ?? 1)))
if (gateway.child.exitCode !== null) process.exitCode = 1
await gateway.stop()
