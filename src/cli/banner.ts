import type { Terminal } from './terminal.ts'

export interface BannerModel {
  readonly id: string
  /** How it gets its tools, in words: `native tools`, `tools in the prompt (hermes)`. */
  readonly mode: string
}

export interface BannerFacts {
  readonly version: string
  /** How the user runs this program: `dragoman`, or `npm start --` in a checkout. */
  readonly program: string
  /** Where clients connect, without a path: `http://127.0.0.1:8484`. */
  readonly origin: string
  readonly models: readonly BannerModel[]
  /** Where the configuration came from, when from a file. */
  readonly configPath: string | undefined
  /** The model of the curl is the stand-in. */
  readonly rehearsing: boolean
  /** How the curl presents a key: a shell expansion or a word to replace; undefined when none is needed. */
  readonly key: string | undefined
}

const shownModels = 8

/** What `serve` says when it is ready: where, what, how to try it, how to connect an agent. */
export function printBanner(facts: BannerFacts, paint: Terminal['paint']): string {
  const { version, program, origin, models, configPath, rehearsing, key } = facts
  const url = `${origin}/v1`
  const model = models[0]?.id ?? 'MODEL'
  const lines = [
    '',
    `  ${paint('bold', `Dragoman ${version}`)}  ${paint('cyan', url)}`,
    ...(configPath === undefined ? [] : [paint('dim', `  configured by ${configPath}`)]),
    '',
    ...printModels(models, paint),
  ]
  if (rehearsing) {
    lines.push(
      '',
      `  ${paint('yellow', 'rehearsal is a stand-in, not a language model')}: it calls the tool your words ask for,`,
      '  so that you can try clients and tools. For a real model:',
      `  ${program} --upstream http://127.0.0.1:8000/v1`,
    )
  }
  lines.push(
    '',
    '  Try it:',
    '',
    printCurl(url, model, key),
    '',
    `  Cline      API Provider "OpenAI Compatible", Base URL ${url}, API Key ${keyWord(key)}, Model ID ${model}`,
    `  OpenCode   provider "@ai-sdk/openai-compatible" with baseURL ${url} in opencode.json`,
    '',
    '',
  )
  return lines.join('\n')
}

function printModels(models: readonly BannerModel[], paint: Terminal['paint']): string[] {
  if (models.length === 0) return ['  models  whatever the upstream lists (it lists none right now)']
  const shown = models.slice(0, shownModels)
  const width = Math.max(...shown.map(({ id }) => id.length))
  const lines = shown.map(({ id, mode }, index) => {
    const label = index === 0 ? 'models' : '      '
    return `  ${label}  ${id.padEnd(width)}  ${paint('dim', mode)}`
  })
  if (models.length > shown.length) lines.push(`          and ${models.length - shown.length} more at /v1/models`)
  return lines
}

function keyWord(key: string | undefined): string {
  return key === undefined ? 'anything' : 'one of your keys'
}

/** A request that yields a tool call, to be pasted into a POSIX shell as it stands. */
export function printCurl(url: string, model: string, key?: string): string {
  // Short lines: a terminal that wraps one may break it in two when it is copied.
  const body = [
    '{',
    `    "model": ${JSON.stringify(model)},`,
    '    "messages": [{"role": "user", "content": "Read the file README.md"}],',
    '    "tools": [{"type": "function", "function": {',
    '      "name": "read_file", "description": "Read a file",',
    '      "parameters": {"type": "object", "required": ["path"],',
    '        "properties": {"path": {"type": "string"}}}',
    '    }}]',
    '  }',
  ].join('\n')
  return [
    `curl -sS ${url}/chat/completions \\`,
    "  -H 'Content-Type: application/json' \\",
    ...(key === undefined ? [] : [`  -H "Authorization: Bearer ${key}" \\`]),
    `  -d ${quoteForShell(body)}`,
  ].join('\n')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
