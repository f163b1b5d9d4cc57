import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createGateway } from '../../src/server/gateway.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import type { Upstream } from '../../src/upstreams/upstream.ts'
import { install, programPath } from '../agents/install.ts'
import type { Arm } from './arms.ts'
import type { Served } from './ask.ts'
import { type Errand, openFolder } from './errands.ts'
import type { Outcome } from './kept.ts'

const packages = ['@earendil-works/pi-coding-agent@0.87.1']
const errandMs = 300_000

/** One that runs away is cut. */
const maxTokens = 640

/** Sends pi on errands, each in a folder of its own. */
export function createPi(served: Served, upstream: Upstream) {
  const program = join(install('pi', packages), 'node_modules/.bin/pi')

  return async (arm: Arm, errand: Errand): Promise<Outcome> => {
    const door = await openDoor(arm, served, upstream)
    const root = mkdtempSync(join(tmpdir(), 'dragoman-errand-'))
    const begun = performance.now()
    try {
      const work = join(root, 'work')
      const home = join(root, 'home')
      mkdirSync(work)
      for (const [path, text] of Object.entries(errand.files)) {
        mkdirSync(dirname(join(work, path)), { recursive: true })
        writeFileSync(join(work, path), text)
      }
      introduce(home, door.url)
      const printed = await run(program, ['-p', '--mode', 'json', ...picked, errand.says], { home, work })
      const answer = lastWords(printed)
      const right = errand.isDone(openFolder(work, errand.files), answer)
      return {
        set: 'errands',
        arm: arm.name,
        id: errand.name,
        category: errand.name,
        wanted: errand.plain !== true,
        called: printed.includes('"tool_execution_start"'),
        right,
        seconds: Math.round((performance.now() - begun) / 100) / 10,
        ...(!right && { said: answer.slice(0, 600) }),
      }
    } finally {
      rmSync(root, { recursive: true, force: true })
      await door.close()
    }
  }
}

const picked = ['--provider', 'real', '--model', 'model']

/** The address pi is told: the engine's own, or a gateway's with the settings of the arm. */
async function openDoor({ settings }: Arm, served: Served, upstream: Upstream) {
  if (settings === undefined)
    return {
      url: `${served.origin}/v1`,
      async close() {
        /* It is not ours. */
      },
    }
  let made = 0
  const model = { ...defaultSettings('model', [upstream.name]), model: served.model, ...settings }
  const turns = createTurns({
    upstreams: new Map([[upstream.name, upstream]]),
    models: [model],
    newId: () => `call_${++made}`,
  })
  const gateway = createGateway({ turns, host: '127.0.0.1', port: 0, timeouts: { drainMs: 0 } })
  const { port } = await gateway.listen()
  return { url: `http://127.0.0.1:${port}/v1`, close: () => gateway.close() }
}

function introduce(home: string, baseUrl: string): void {
  const model = {
    id: 'model',
    name: 'model',
    reasoning: false,
    input: ['text'],
    contextWindow: 16_384,
    maxTokens,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  }
  const providers = { real: { baseUrl, api: 'openai-completions', apiKey: 'none', models: [model] } }
  mkdirSync(join(home, '.pi/agent'), { recursive: true })
  writeFileSync(join(home, '.pi/agent/models.json'), JSON.stringify({ providers }))
}

function run(program: string, args: readonly string[], { home, work }: Readonly<Record<'home' | 'work', string>>) {
  return new Promise<string>((resolve) => {
    const child = spawn(program, args, {
      cwd: work,
      env: { PATH: programPath, TERM: 'dumb', HOME: home, PI_OFFLINE: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: errandMs,
    })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (some: string) => {
      printed += some
    })
    child.once('close', () => resolve(printed))
    child.once('error', (error) => resolve(error.message))
  })
}

interface Line {
  readonly type?: string
  readonly message?: {
    readonly role?: string
    readonly content?: readonly { readonly type: string; readonly text?: string }[]
  }
}

/** What the agent said last. */
function lastWords(printed: string): string {
  let words = ''
  for (const line of printed.split('\n')) {
    if (!line.startsWith('{')) continue
    const { type, message } = JSON.parse(line) as Line
    if (type !== 'message_end' || message?.role !== 'assistant') continue
    words = (message.content ?? []).flatMap(({ type: kind, text }) => (kind === 'text' ? [text ?? ''] : [])).join('\n')
  }
  return words
}
