import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where and with what one run of an agent happens. */
export interface Scene {
  readonly home: string
  readonly work: string
  readonly model: string
  readonly prompt: string
  /** The folder the agent is installed in. */
  readonly installed: string
}

export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** A program its users run: how it is installed, connected and started, and what it shows when it is done. */
export interface Agent {
  readonly name: string
  /** Newest first, unless a version is named, with the reason beside it. */
  readonly packages: readonly [string, ...string[]]
  readonly installOptions?: readonly string[]
  /** The program, where it comes as a package of its own that may be missing. */
  readonly needs?: readonly string[]
  /** The name by which `dragoman connect` knows it. */
  readonly client: string
  /** What stands in its files before they are connected: no updates, no questions. */
  readonly settings?: Readonly<Record<string, string>>
  /** Has to be told by a command of its own, which `dragoman connect` hints at: this program, with the words that follow. */
  readonly signsIn?: { readonly program: string; readonly hint: RegExp }
  launch(scene: Scene): Launch
  /** Its last words, out of what it printed. */
  answer(out: string): string
  /** Whether the tokens it shows are those the model counted; absent where it shows none. */
  readonly usage?: RegExp
  /** What it does to a text before it writes it into a file. */
  rewrites?(text: string): string
  /** The model's name, where the agent looks at it. */
  readonly modelPrefix?: string
  /** Teaches its own tools in its own prompt and sends none. */
  readonly ownTools?: boolean
}

const quietCline = { CLINE_NO_AUTO_UPDATE: '1' }

export function signIn({ signsIn }: Agent, scene: Scene, hints: readonly string[]): Launch | undefined {
  if (signsIn === undefined) return undefined
  const words = hints.flatMap((hint) => signsIn.hint.exec(hint)?.[1]?.split(' ') ?? [])
  return { command: bin(scene, signsIn.program), args: words, environment: quietCline }
}

const bin = (scene: Scene, name: string) => join(scene.installed, 'node_modules/.bin', name)

/** OpenCode and its fork ask for nothing and fetch nothing. */
const quietOpenCode = JSON.stringify({ autoupdate: false, share: 'disabled', permission: 'allow' })

function quiet(prefix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ['MODELS_FETCH', 'AUTOUPDATE', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS'].map((what) => [`${prefix}_DISABLE_${what}`, '1']),
  )
}

const cline2: Omit<Agent, 'name'> = {
  // The older core, which no newer version has.
  packages: ['cline@2.18.0'],
  client: 'cline',
  signsIn: { program: 'cline', hint: /^Cline 2 .*: cline (auth .*)$/ },
  launch: (scene) => ({
    command: bin(scene, 'cline'),
    args: ['-y', '--json', '-m', scene.model, scene.prompt],
    environment: quietCline,
  }),
  answer: (out) => lastText(out, ({ say, text }) => (say === 'completion_result' ? text : undefined)),
}

/** The legacy Cline takes escaped text for a mistake of the model. */
function withoutEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}

/** Claude Code resolves escapes and takes blanks off the ends of lines. */
function asClaudeCode(text: string): string {
  const resolved = text.replace(/\\u([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return resolved.replace(/[ \t]+$/gm, '')
}

const continues: Agent = {
  name: 'Continue',
  packages: ['@continuedev/cli'],
  client: 'continue',
  launch: (scene) => ({
    command: bin(scene, 'cn'),
    args: ['-p', '--auto', '--config', join(scene.home, '.continue/config.yaml'), scene.prompt],
    environment: { CONTINUE_TELEMETRY_ENABLED: '0' },
  }),
  answer: (out) => out,
}

/** The same settings, with the gateway as an Ollama. */
function asOllama(file: string): void {
  const settings = readFileSync(file, 'utf8')
  writeFileSync(file, settings.replace('provider: openai', 'provider: ollama').replace(/(apiBase: .*)\/v1$/m, '$1'))
}

const kiloProgram = `node_modules/@kilocode/cli-${process.platform}-${process.arch}/bin/kilo`
const claudeProgram = `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`

export const agents: readonly Agent[] = [
  {
    name: 'pi',
    packages: ['@earendil-works/pi-coding-agent'],
    client: 'pi',
    launch: (scene) => ({
      command: bin(scene, 'pi'),
      args: ['-p', '--mode', 'json', '--provider', 'dragoman', '--model', scene.model, scene.prompt],
      environment: { PI_OFFLINE: '1' },
    }),
    answer: (out) => out.slice(-4000),
    usage: /"input":4321,"output":123/,
  },
  {
    name: 'OpenCode',
    packages: ['opencode-ai'],
    client: 'opencode',
    settings: { 'opencode.json': quietOpenCode },
    launch: (scene) => ({
      command: bin(scene, 'opencode'),
      args: ['run', '--format', 'json', '--title', 't', scene.prompt],
      environment: quiet('OPENCODE'),
    }),
    answer: (out) => lastText(out, ({ type, part }) => (type === 'text' && isFields(part) ? part['text'] : undefined)),
    usage: /"input":4321,"output":123/,
  },
  {
    name: 'Cline 3',
    packages: ['cline'],
    client: 'cline',
    launch: (scene) => ({
      command: bin(scene, 'cline'),
      args: ['--json', '-P', 'openai-compatible', '-m', scene.model, scene.prompt],
      environment: { ...quietCline, CLINE_SESSION_BACKEND_MODE: 'local' },
    }),
    answer: (out) => lastText(out, ({ type, text }) => (type === 'run_result' ? text : undefined)),
    usage: /"inputTokens":4321|"outputTokens":\d*123/,
  },
  { ...cline2, name: 'Cline 2', modelPrefix: 'kimi-k2-', rewrites: withoutEntities },
  // It also takes the white space off what stands between two tags.
  { ...cline2, name: 'Cline 2 (XML)', ownTools: true, rewrites: (text) => withoutEntities(text).replace(/\n$/, '') },
  {
    name: 'Qwen Code',
    packages: ['@qwen-code/qwen-code'],
    client: 'qwen-code',
    launch: (scene) => ({
      command: bin(scene, 'qwen'),
      args: ['--auth-type', 'openai', '-y', '-o', 'stream-json', scene.prompt],
    }),
    answer: (out) => lastText(out, ({ type, result }) => (type === 'result' ? result : undefined)),
    usage: /"input_tokens":4321,"output_tokens":123/,
  },
  continues,
  {
    ...continues,
    name: 'Continue (Ollama)',
    launch: (scene) => {
      asOllama(join(scene.home, '.continue/config.yaml'))
      return continues.launch(scene)
    },
  },
  {
    name: 'Kilo',
    packages: ['@kilocode/cli'],
    // Its scripts fetch a program that comes as a package of its own.
    installOptions: ['--ignore-scripts'],
    needs: [kiloProgram],
    client: 'kilo',
    settings: { 'kilo.json': quietOpenCode },
    launch: (scene) => ({
      command: join(scene.installed, kiloProgram),
      args: ['run', '--auto', '--format', 'json', '--title', 't', scene.prompt],
      environment: quiet('KILO'),
    }),
    answer: (out) => lastText(out, ({ type, part }) => (type === 'text' && isFields(part) ? part['text'] : undefined)),
    usage: /"input":4321,"output":123/,
  },
  {
    name: 'Claude Code',
    packages: ['@anthropic-ai/claude-code'],
    // Its scripts copy a program that comes as a package of its own.
    installOptions: ['--ignore-scripts'],
    needs: [claudeProgram],
    client: 'claude-code',
    launch: (scene) => ({
      command: join(scene.installed, claudeProgram),
      args: ['-p', scene.prompt, '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'],
      environment: {
        IS_SANDBOX: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
        CLAUDE_CODE_MAX_RETRIES: '1',
      },
    }),
    answer: (out) => lastText(out, ({ type, result }) => (type === 'result' ? result : undefined)),
    // It adds up what all answers took.
    usage: new RegExp(
      `"input_tokens":(?:${Array.from({ length: 12 }, (_, answers) => 4321 * (answers + 1)).join('|')}),`,
    ),
    rewrites: asClaudeCode,
  },
]

/** The files an agent finds in its work folder. */
export function furnish({ settings = {} }: Agent, work: string): void {
  mkdirSync(work, { recursive: true })
  for (const [name, text] of Object.entries(settings)) writeFileSync(join(work, name), text)
}

/** The last text that lines of JSON hold for `pick`. */
function lastText(out: string, pick: (line: Readonly<Record<string, unknown>>) => unknown): string {
  const texts = out.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      const text = isFields(value) ? pick(value) : undefined
      return typeof text === 'string' ? [text] : []
    } catch {
      return []
    }
  })
  return texts.at(-1) ?? ''
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
