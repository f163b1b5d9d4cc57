import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainOf } from './plain.ts'
import { start, toPart } from './processes.ts'
import { freePort, type Subject, untilListening } from './subjects.ts'

/** Where the others are installed, on request: they are no dependencies of ours. */
const folder = join(import.meta.dirname, '../../node_modules/.cache/dragoman-bench/peers')
const wanted = { '@portkey-ai/gateway': '1.15.2', '@hono/node-server': '1.11.5' }

/** Other gateways, in the versions they were compared in. They pass on what the model says and read no calls. */
export async function startPeers(service: string): Promise<readonly Subject[]> {
  install()
  const port = await freePort()
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  const child = start('measured', [
    process.execPath,
    '--import',
    plainOf('metered.ts'),
    program,
    `--port=${port}`,
    '--headless',
  ])
  child.stdout?.resume()
  await untilListening(port)
  const headers = {
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${service}/v1`,
    authorization: 'Bearer x',
  }
  return [{ name: 'portkey', part: toPart(child, port), reads: false, headers }]
}

function install(): void {
  const manifest = join(folder, 'package.json')
  const text = `${JSON.stringify({ private: true, dependencies: wanted, overrides: { '@hono/node-server': '$@hono/node-server' } })}\n`
  if (existsSync(join(folder, 'node_modules')) && existsSync(manifest) && readFileSync(manifest, 'utf8') === text)
    return
  mkdirSync(folder, { recursive: true })
  writeFileSync(manifest, text)
  const flags = ['install', '--no-audit', '--no-fund', '--ignore-scripts']
  const { status } = spawnSync('npm', flags, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error('The other gateways could not be installed.')
}
