// Starts the built package on the oldest Node it says it runs on, and has it make one tool call, streamed and not.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const startMs = 60_000
const installMs = 300_000

const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
const version = /\d+(?:\.\d+)*/.exec(engines.node)?.[0]
const folder = mkdtempSync(join(tmpdir(), 'dragoman-oldest-'))

try {
  process.exitCode = await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function main() {
  const install = ['install', '--no-audit', '--no-fund', '--no-save', '--prefix', folder, `node@${version}`]
  const installed = spawnSync('npm', install, {
    cwd: folder,
    encoding: 'utf8',
    timeout: installMs,
    shell: process.platform === 'win32',
  })
  const node = join(folder, 'node_modules/.bin/node')
  const found = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? ''
  if (!found.startsWith(`v${version}.`)) {
    process.stdout.write(`Node ${version} cannot be had here, so nothing was tried on it. ${installed.stderr ?? ''}\n`)
    return 0
  }
  const program = [resolve('dist/cli/main.js'), 'serve', '--listen', '127.0.0.1:0']
  const child = spawn(node, program, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } })
  try {
    const origin = await originOf(child)
    for (const stream of [false, true]) await callTool(origin, stream)
    process.stdout.write(`On Node ${found} the package starts and calls tools.\n`)
    return 0
  } catch (error) {
    process.stdout.write(`On Node ${found} the package does not work: ${error.message}\n`)
    return 1
  } finally {
    child.kill()
  }
}

/** The address it says it listens on. */
function originOf(child) {
  return new Promise((done, fail) => {
    let said = ''
    const timer = setTimeout(() => fail(new Error(`it did not start: ${said}`)), startMs)
    const hear = (piece) => {
      said += piece
      const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (origin === undefined) return
      clearTimeout(timer)
      done(origin)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('close', (code) => fail(new Error(`it ended with ${code}: ${said}`)))
  })
}

async function callTool(origin, stream) {
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'rehearsal',
      stream,
      messages: [{ role: 'user', content: 'Get the weather in Paris' }],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
    }),
  })
  const text = await response.text()
  if (response.status === 200 && text.includes('"tool_calls"') && text.includes('get_weather')) return
  throw new Error(`${stream ? 'streamed' : 'whole'}: ${response.status} ${text.slice(0, 500)}`)
}
