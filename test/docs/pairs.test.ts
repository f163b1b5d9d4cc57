import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'
import { clients, findClient } from '../../src/cli/connect/clients/registry.ts'
import { launch } from '../../src/cli/launch/launch.ts'
import { toWords } from './example.ts'

const shape = /<!-- pair: (\S+) (\S+) -->\n```sh\n([\s\S]*?)\n```/g
const pairs = [...readFileSync('docs/quick-start.md', 'utf8').matchAll(shape)].map(
  ([, server = '', agent = '', text = '']) => ({
    server,
    agent,
    text,
    commands: text.replaceAll('\\\n', ' ').split('\n'),
  }),
)

/** How each server is told the context, and what else agents need of it. */
const servers: Readonly<Record<string, { readonly context: RegExp; readonly needs: readonly string[] }>> = {
  ollama: { context: /^OLLAMA_CONTEXT_LENGTH=(\d+) ollama serve\b/m, needs: ['ollama pull '] },
  vllm: { context: /--max-model-len (\d+)\b/, needs: ['--enable-auto-tool-choice', '--tool-call-parser '] },
  'llama.cpp': { context: /^llama-server .*-c (\d+)\b/m, needs: ['--jinja', '-hf '] },
  'lm-studio': { context: /^lms load .*--context-length (\d+)\b/m, needs: ['lms get ', 'lms server start'] },
}

/** An agent's first request takes about half of that. */
const leastContext = 32_768

test('there is a pair for every server', () => {
  expect(pairs.map(({ server }) => server).sort()).toEqual(Object.keys(servers).sort())
})

describe.each(pairs)('$server and $agent', ({ server, agent, text, commands }) => {
  const client = findClient(agent, clients)

  test('are five lines that a shell takes, none wider than a terminal', () => {
    const lines = text.split('\n')
    expect(lines).toHaveLength(5)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    execFileSync('bash', ['-n'], { input: text })
  })

  test('the server gets the context the agent needs, and what makes its template speak of tools', () => {
    const { context, needs } = servers[server] ?? { context: /(?!)/, needs: [] }
    const told = Number(context.exec(commands.join('\n'))?.[1])
    expect(told).toBeGreaterThanOrEqual(Math.max(leastContext, client.leastContext ?? 0))
    for (const need of needs) expect(text).toContain(need)
  })

  test('the agent is installed as `dragoman launch` says, and started with flags it takes', () => {
    expect(commands).toContain(client.launch?.install?.replace('Install it with: ', ''))
    const [program, verb, ...args] = toWords(commands.at(-1) ?? '')
    expect([program, verb]).toEqual(['dragoman', 'launch'])
    const { values, operands } = readArguments(launch.flags, args, true)
    expect(operands).toEqual([client.name])
    const model = (values as { readonly model?: string }).model
    if (model !== undefined) expect(commands.slice(0, -1).join('\n')).toContain(model)
  })
})
