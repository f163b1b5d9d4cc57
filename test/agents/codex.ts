import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkStream } from '../doors/responses-checker.ts'
import { type Script, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { native } from '../doubles/speak.ts'
import { outcomeOf, startGateway } from '../dragoman.ts'
import { install, programPath } from './install.ts'
import { startRecorder } from './recorder.ts'

/** What the model says to the n-th question of a run. */
export type Play = (body: Record<string, unknown>, turn: number) => Script

interface Run {
  /** As Codex knows it: its name decides which tools are offered. */
  readonly id: string
  readonly column: string
  readonly play: Play
  /** Further lines of its settings. */
  readonly settings?: string
  readonly prompt?: string
  readonly files?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Asks for the gateway as if it were an Ollama, and is told nothing else about it. */
  readonly oss?: boolean
}

const codexPackages = ['@openai/codex@0.169.0']
const runMs = 120_000
const flags = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']

/**
 * Codex, the real gateway and a scripted model behind it. Codex chooses its tools by how a model's name begins, so each is
 * served under its name and the way it gets its tools: `gpt-5.5-hermes`.
 */
export async function startCodexWorld(ids: readonly string[], columns: readonly string[], keys = ['test-key']) {
  const program = join(install('openai-codex', codexPackages), 'node_modules/.bin/codex')
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-codex-'))
  const nameOf = (id: string, column: string): string => `${id}-${column}`
  const models = ids.flatMap((id) => columns.map((column) => [nameOf(id, column), column] as const))
  let play: Play = () => {
    throw new Error('nothing is played')
  }
  let turn = 0
  const double = await startOpenAiDouble({
    models: models.map(([name]) => name),
    respond: (body) => play(body, turn++),
  })
  const settingsOf = (column: string) => (column === native ? { tools: native } : { tools: 'prompt', dialect: column })
  const gateway = await startGateway({
    config: {
      keys,
      upstreams: { service: { kind: 'openai', url: double.url } },
      models: Object.fromEntries(
        models.map(([name, column]) => [name, { upstream: 'service', ...settingsOf(column) }]),
      ),
    },
  })
  const recorder = await startRecorder(gateway.origin)
  let runs = 0

  return {
    /** One run of `codex exec`. Every stream it was sent is checked. */
    async run({
      id,
      column,
      play: played,
      settings = '',
      prompt = 'Please do it.',
      files = {},
      args = [],
      oss = false,
    }: Run) {
      const name = `run-${++runs}`
      const home = join(folder, name)
      const work = join(home, 'work')
      mkdirSync(join(home, '.codex'), { recursive: true })
      mkdirSync(work)
      for (const [path, text] of Object.entries(files)) writeFileSync(join(work, path), text)
      const config = [
        `model = "${nameOf(id, column)}"`,
        oss ? '' : 'model_provider = "dragoman"',
        settings,
        ...(oss ? [] : provider(recorder.urlFor(name))),
        '[mcp_servers.srv]',
        `command = "${process.execPath}"`,
        `args = ["${join(import.meta.dirname, 'mcp-server.mjs')}"]`,
      ]
      writeFileSync(join(home, '.codex/config.toml'), `${config.join('\n')}\n`)

      async function exec(next: Play, words: readonly string[]) {
        play = next
        turn = 0
        const where = oss ? { CODEX_OSS_BASE_URL: recorder.urlFor(name) } : { DRAGOMAN_KEY: 'test-key' }
        const env = { PATH: programPath, HOME: home, TERM: 'dumb', ...where }
        const child = spawn(program, ['exec', ...words], { cwd: work, env, timeout: runMs, killSignal: 'SIGKILL' })
        child.stdin.end()
        const { code, out } = await outcomeOf(child)
        const asked = recorder.exchangesOf(name).filter(({ path }) => path === '/v1/responses')
        for (const { status, answered } of asked) {
          if (status !== 200) throw new Error(`refused with ${status}: ${answered}`)
          checkStream(answered)
        }
        const paths = recorder.exchangesOf(name).map(({ path }) => path)
        return { code, out, work, requests: asked.length, paths, sockets: recorder.socketsOf(name) }
      }

      const resume = (more: string, next: Play) => exec(next, ['resume', '--last', ...flags, more])
      const local = oss
        ? ['--oss', '--local-provider', 'ollama', '-c', 'model_provider=ollama', '-m', nameOf(id, column)]
        : []
      return { ...(await exec(played, [...flags, ...local, ...args, '--', prompt])), resume }
    },
    async stop() {
      await recorder.stop()
      await gateway.stop()
      await double.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const provider = (url: string): readonly string[] => [
  '[model_providers.dragoman]',
  'name = "Dragoman"',
  `base_url = "${url}"`,
  'env_key = "DRAGOMAN_KEY"',
  'wire_api = "responses"',
  'request_max_retries = 0',
  'stream_max_retries = 0',
]
