import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The packages behind the rows of the table in docs/clients.md. Cline 2 is left out: no newer one has its core. */
const packages: Readonly<Record<string, string>> = {
  OpenCode: 'opencode-ai',
  Cline: 'cline',
  'Qwen Code': '@qwen-code/qwen-code',
  'Continue CLI': '@continuedev/cli',
  pi: '@earendil-works/pi-coding-agent',
  Kilo: '@kilocode/cli',
  'Claude Code': '@anthropic-ai/claude-code',
  '`openai`': 'openai',
  'AI SDK': 'ai',
  'AI SDK, `@ai-sdk/anthropic`': '@ai-sdk/anthropic',
  'Anthropic SDK': '@anthropic-ai/sdk',
  LangChain: 'langchain',
  '`ollama`': 'ollama',
  'LangChain, `@langchain/ollama`': '@langchain/ollama',
  'OpenAI Agents': '@openai/agents',
  Codex: '@openai/codex',
}

/** When each version came out, and which is the newest; undefined where the registry does not say. */
export type Published = { readonly newest: string; readonly at: Readonly<Record<string, string>> } | undefined

/** A newer version may be out for so long before the document is behind. */
export const mostDays = 30
const dayMs = 86_400_000

/** A line for each row of the table, and whether none is behind: a version is once its successor is older than `mostDays`. */
export function compareVersions(
  document: string,
  publishedOf: (name: string) => Published,
  now: number,
): { readonly lines: readonly string[]; readonly isCurrent: boolean } {
  const rows = Object.entries(packages).map(([client, name]) => {
    const row = document
      .split('\n')
      .find((line) => line.startsWith(`| ${client} | `) && /^\d/.test(line.split(' | ')[1] ?? ''))
    const version = row?.split(' | ')[1]
    if (version === undefined) return { line: `${client}: not in the table`, behind: true }
    const published = publishedOf(name)
    if (published === undefined)
      return { line: `${client} ${version}: the registry does not tell of ${name}`, behind: false }
    if (version === published.newest) return { line: `${client} ${version}: the newest`, behind: false }
    const since = published.at[version] ?? ''
    const [next] = Object.entries(published.at)
      .filter(([one, at]) => /^\d+\.\d+\.\d+$/.test(one) && at > since)
      .map(([, at]) => at)
      .toSorted()
    const days = next === undefined ? 0 : Math.floor((now - Date.parse(next)) / dayMs)
    return { line: `${client} ${version}: behind ${published.newest} for ${days} days`, behind: days > mostDays }
  })
  return { lines: rows.map(({ line }) => line), isCurrent: rows.every(({ behind }) => !behind) }
}

/** Prints how docs/clients.md stands to the registry. Returns the exit code. */
export function checkVersions(): number {
  const { lines, isCurrent } = compareVersions(readFileSync('docs/clients.md', 'utf8'), askRegistry, Date.now())
  console.log(lines.join('\n'))
  return isCurrent ? 0 : 1
}

function askRegistry(name: string): Published {
  const { stdout, status } = spawnSync('npm', ['view', name, 'version', 'time', '--json'], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  if (status !== 0) return undefined
  const { version, time } = JSON.parse(stdout) as { version: string; time: Readonly<Record<string, string>> }
  const { created: _, modified: __, ...at } = time
  return { newest: version, at }
}
