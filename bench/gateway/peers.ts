import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { install } from '../../test/agents/install.ts'
import { toForeignPart } from './foreign.ts'
import { plainOf } from './plain.ts'
import { type Part, start, toPart } from './processes.ts'
import { freePort, type Subject, untilListening } from './subjects.ts'

/** Another product, in the version it was compared in, brought into a cache folder: none is a dependency of ours. */
interface Peer {
  readonly name: string
  /** Throws where it cannot be had on this machine. */
  start(service: string, port: number): Part
  readonly reads: boolean
  readonly whole?: string
  readonly headers?: (service: string) => Readonly<Record<string, string>>
}

/** What all of them can do without falling behind for minutes. */
const scenarios = ['whole', 'coalesced', 'native', 'first-byte', 'short', 'short-whole', 'conversation']
/** Some take their time. */
const startMs = 180_000
/** This part of the requests is enough, where each takes so long. */
const share = 0.1

const metered = ['--import', plainOf('metered.ts')]

const portkey: Peer = {
  name: 'portkey',
  start(_service, port) {
    const packages = ['@portkey-ai/gateway@1.15.2', '@hono/node-server@1.11.5']
    const folder = install('portkey', packages, ['--ignore-scripts', '--legacy-peer-deps'])
    const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
    return toPart(start('measured', [process.execPath, ...metered, program, `--port=${port}`, '--headless']), port)
  },
  reads: false,
  whole: 'json',
  headers: (service) => ({
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${service}/v1`,
    authorization: 'Bearer x',
  }),
}

const toolParser: Peer = {
  name: 'tool-parser',
  start(service, port) {
    const packages = ['@ai-sdk-tool/parser@4.1.26', 'ai@6.0.319', '@ai-sdk/openai-compatible@2.0.87']
    const folder = install('tool-parser', packages, ['--ignore-scripts'])
    const program = [process.execPath, plainOf('tool-parser.ts'), service, String(port), folder]
    return toPart(start('measured', program), port)
  },
  reads: true,
}

const litellm: Peer = {
  name: 'litellm',
  start(service, port) {
    const folder = installLitellm('1.106.0')
    const config = join(folder, `bench-${port}.yaml`)
    const parameters = { model: 'openai/*', api_base: `${service}/v1`, api_key: 'x' }
    writeFileSync(
      config,
      JSON.stringify({
        model_list: [{ model_name: '*', litellm_params: parameters }],
        general_settings: { dangerously_permit_weak_or_unset_master_key: true },
      }),
    )
    const flags = ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False']
    // No prices of models.
    const env = { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True' }
    return toForeignPart(start('measured', [join(folder, 'bin/litellm'), ...flags], { env }), port)
  },
  reads: false,
  whole: 'json',
}

/** Other gateways; those that cannot be had here are named and left out. */
export async function startPeers(service: string): Promise<readonly Subject[]> {
  const subjects: Subject[] = []
  for (const peer of [portkey, toolParser, litellm]) {
    try {
      const port = await freePort()
      const part = peer.start(service, port)
      part.child.stdout?.resume()
      await untilListening(port, startMs)
      const headers = peer.headers?.(service)
      const { name, reads, whole } = peer
      subjects.push({ name, part, reads, share, scenarios, ...(headers && { headers }), ...(whole && { whole }) })
    } catch (error) {
      console.log(`${peer.name} is left out: ${error instanceof Error ? error.message : error}`)
    }
  }
  return subjects
}

/** Into an environment of its own, kept between runs. */
function installLitellm(version: string): string {
  const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dragoman-bench/litellm')
  const mark = join(folder, 'installed')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === version) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const steps = [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin/pip'), 'install', '--quiet', `litellm[proxy]==${version}`],
  ]
  for (const [program = '', ...args] of steps) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 900_000 })
    if (status !== 0) throw new Error(error?.message ?? stderr.trim().slice(-300))
  }
  writeFileSync(mark, version)
  return folder
}
