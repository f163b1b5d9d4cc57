import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { install } from '../agents/install.ts'
import { answer, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { bundle } from '../package/bundle.ts'
import { installPackage } from '../package/install.ts'
import { layExamples } from '../package/lay-examples.ts'

/**
 * The examples in runtimes that are not Node, with the package as it is installed: `npx node test/library/runtimes.ts`. The runtimes are
 * brought into a cache folder first. Prints what ran; exits with 1 where something did not.
 */
const runtimes = install(
  'runtimes',
  ['@deno/linux-x64-glibc@2.9.6', '@oven/bun-linux-x64-baseline@1.4.4', '@cloudflare/workerd-linux-64@1.20261104.1'],
  ['--ignore-scripts', '--force'],
)
const program = (path: string): string => join(runtimes, 'node_modules', path)
const place = await installPackage()
const folder = layExamples(place.installed)
let failures = 0

function report(name: string, isFine: boolean, detail = ''): void {
  if (!isFine) failures += 1
  console.log(`${isFine ? 'ran   ' : 'FAILED'} ${name}${isFine ? '' : `: ${detail.trim().slice(-600)}`}`)
}

for (const [name, command, ...before] of [
  ['Node', process.execPath],
  ['Deno', program('@deno/linux-x64-glibc/deno'), 'run', '-A', '--no-lock'],
  ['Bun', program('@oven/bun-linux-x64-baseline/bin/bun'), 'run'],
] as const) {
  if (command === undefined || !existsSync(command)) {
    report(name, false, 'it could not be installed')
    continue
  }
  const version = spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0] ?? ''
  for (const example of ['bridge/bridge.ts', 'openai-sdk/main.ts', 'ai-sdk/main.ts']) {
    const cwd = join(folder, dirname(example))
    const done = spawnSync(command, [...before, example.split('/')[1] ?? ''], {
      cwd,
      encoding: 'utf8',
      timeout: 60_000,
    })
    const isFine = done.status === 0 && done.stdout.includes('Yes: it is -7 °C and snowing.')
    report(`${name} ${version}: ${example}`, isFine, done.stdout + done.stderr)
  }
}

/** A worker behind a port, with or without a service to ask. */
async function inWorkerd(name: string, bindings: string): Promise<void> {
  const config = join(folder, 'built/config.capnp')
  const port = 8700 + Math.floor(Math.random() * 1000)
  const lines = [
    'using Workerd = import "/workerd/workerd.capnp";',
    'const config :Workerd.Config = (',
    '  services = [ (name = "main", worker = .worker), (name = "net", network = (allow = ["public", "private", "local"])) ],',
    `  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ]`,
    ');',
    'const worker :Workerd.Worker = ( modules = [ (name = "worker", esModule = embed "worker.mjs") ],',
    `  compatibilityDate = "2026-01-01", globalOutbound = "net", bindings = [${bindings}] );`,
  ]
  writeFileSync(config, lines.join('\n'))
  const child = spawn(program('@cloudflare/workerd-linux-64/bin/workerd'), ['serve', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void (said += chunk))
  try {
    for (const stream of [false, true]) {
      const text = await ask(port, stream).catch((error: unknown) => String(error))
      report(
        `workerd: worker/worker.ts, ${name}, stream ${stream}`,
        text.includes('"finish_reason":"tool_calls"'),
        text + said,
      )
    }
  } finally {
    child.kill()
  }
}

async function ask(port: number, stream: boolean): Promise<string> {
  const body = JSON.stringify({
    model: 'double',
    stream,
    messages: [{ role: 'user', content: 'Weather?' }],
    tools: [{ type: 'function', function: { name: 'get_weather' } }],
  })
  for (let tries = 0; ; tries++) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: 'POST', body })
      return await response.text()
    } catch (thrown) {
      if (tries > 50) throw thrown
      await wait(100)
    }
  }
}

mkdirSync(join(folder, 'built'), { recursive: true })
writeFileSync(join(folder, 'built/worker.mjs'), await bundle(join(folder, 'worker/worker.ts')))
await inWorkerd('a function', '')
const said = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
const double = await startOpenAiDouble({ respond: [answer({ text: [said] })] })
await inWorkerd('a service', `(name = "MODEL_URL", text = "${double.url}")`)
await double.close()
place.remove()
process.exitCode = failures === 0 ? 0 : 1
