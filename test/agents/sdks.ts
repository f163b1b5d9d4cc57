import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { outcomeOf, runDragoman } from '../dragoman.ts'
import { type Installed, programPath } from './install.ts'
import { completionTokens, promptTokens } from './model.ts'
import { haveInstalled, judgeErrandRun, type Verdict } from './perform.ts'
import { createErrand } from './plot.ts'
import { type Column, modelNameFor, type World } from './world.ts'

/** A library its users build on, and one way to use it. */
export interface Sdk {
  readonly name: string
  /** The driver in `sdks/`. */
  readonly driver: string
  readonly way: string
}

export const sdks: readonly Sdk[] = [
  { name: 'openai create', driver: 'openai.mjs', way: 'create' },
  { name: 'openai stream', driver: 'openai.mjs', way: 'stream' },
  { name: 'openai runTools', driver: 'openai.mjs', way: 'run-tools' },
  { name: 'AI SDK generateText', driver: 'ai-sdk.mjs', way: 'generate-text' },
  { name: 'AI SDK streamText', driver: 'ai-sdk.mjs', way: 'stream-text' },
  { name: 'openai responses.create', driver: 'openai-responses.mjs', way: 'create' },
  { name: 'openai responses.stream', driver: 'openai-responses.mjs', way: 'stream' },
  { name: 'AI SDK generateText, responses', driver: 'ai-sdk-responses.mjs', way: 'generate-text' },
  { name: 'AI SDK streamText, responses', driver: 'ai-sdk-responses.mjs', way: 'stream-text' },
  { name: 'Anthropic create', driver: 'anthropic.mjs', way: 'create' },
  { name: 'Anthropic stream', driver: 'anthropic.mjs', way: 'stream' },
  { name: 'Anthropic toolRunner', driver: 'anthropic.mjs', way: 'tool-runner' },
  { name: 'AI SDK generateText, Anthropic', driver: 'ai-sdk-anthropic.mjs', way: 'generate-text' },
  { name: 'AI SDK streamText, Anthropic', driver: 'ai-sdk-anthropic.mjs', way: 'stream-text' },
  { name: 'ollama chat', driver: 'ollama.mjs', way: 'chat' },
  { name: 'ollama stream', driver: 'ollama.mjs', way: 'stream' },
  { name: 'LangChain agent, Ollama', driver: 'langchain-ollama.mjs', way: 'invoke' },
  { name: 'LangChain stream, Ollama', driver: 'langchain-ollama.mjs', way: 'stream' },
  { name: 'LangChain agent', driver: 'langchain.mjs', way: 'invoke' },
  { name: 'LangChain stream', driver: 'langchain.mjs', way: 'stream' },
  { name: 'Agents SDK run', driver: 'agents-sdk.mjs', way: 'run' },
  { name: 'Agents SDK stream', driver: 'agents-sdk.mjs', way: 'stream' },
  { name: 'Agents SDK run, responses', driver: 'agents-sdk.mjs', way: 'responses' },
  { name: 'Agents SDK stream, responses', driver: 'agents-sdk.mjs', way: 'responses-stream' },
]

/** What each driver needs, installed by itself: one library that cannot be had costs none of the others. */
const packagesOf: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'openai.mjs': ['openai', 'zod'],
  'openai-responses.mjs': ['openai', 'zod'],
  'ai-sdk.mjs': ['ai', '@ai-sdk/openai-compatible', 'zod'],
  'ai-sdk-responses.mjs': ['ai', '@ai-sdk/openai', 'zod'],
  'ai-sdk-anthropic.mjs': ['ai', '@ai-sdk/anthropic', 'zod'],
  'anthropic.mjs': ['@anthropic-ai/sdk', 'zod'],
  'ollama.mjs': ['ollama', 'zod'],
  'langchain.mjs': ['langchain', '@langchain/openai', '@langchain/core', 'zod'],
  'langchain-ollama.mjs': ['langchain', '@langchain/ollama', '@langchain/core', 'zod'],
  'agents-sdk.mjs': ['@openai/agents', 'openai', 'zod'],
}

interface Done {
  readonly id: string
  readonly text: string
  readonly error?: string
  readonly usage?: readonly number[]
}

const runMs = 600_000

/** The errand with each of these models, one after the other in one program. */
export async function performWithSdk(
  world: World,
  sdk: Sdk,
  columns: readonly Column[],
  largeBytes: number,
): Promise<ReadonlyMap<Column, Verdict>> {
  const folder = furnish(sdk)
  const jobs = columns.map((column) => {
    const id = world.nextId()
    const work = join(world.folder, id)
    mkdirSync(work)
    const plot = createErrand(id, work, largeBytes)
    return { column, plot, performance: world.model.stage(plot) }
  })
  const orders = jobs.map(({ column, plot: { id } }) => ({
    id,
    model: modelNameFor(column),
    prompt: `Please do the ${id} now`,
    way: sdk.way,
  }))
  const out = await runDriver(join(folder, sdk.driver), world, JSON.stringify(orders))
  const done = new Map(out.lines.map((line) => [line.id, line]))
  return new Map(
    jobs.map(({ column, plot, performance }) => {
      const { text = '', error, usage } = done.get(plot.id) ?? { error: `no answer: ${out.complaints.slice(-300)}` }
      const exchanges = world.recorder.exchangesOf(plot.id)
      const faults = [
        ...judgeErrandRun(exchanges, performance, {}, column, text ?? ''),
        ...(error === undefined ? [] : [`it threw ${error.slice(0, 500)}`]),
        ...(usage?.[0] === promptTokens && usage[1] === completionTokens ? [] : [`the usage it shows is ${usage}`]),
      ]
      const started = Math.min(...exchanges.map(({ startedMs }) => startedMs))
      const ended = Math.max(...exchanges.map(({ endedMs }) => endedMs))
      return [column, { faults, seconds: (ended - started) / 1000, parallel: performance.parallel }]
    }),
  )
}

/** The library of an SDK. Throws where it cannot be had. */
export function sdkInstalled({ driver }: Sdk): Installed {
  const packages = packagesOf[driver]
  if (packages === undefined) throw new Error(`No packages are named for ${driver}.`)
  // npm goes round in circles over LangChain's peers.
  return haveInstalled({ packages, installOptions: ['--legacy-peer-deps'] })
}

function furnish(sdk: Sdk): string {
  const { folder } = sdkInstalled(sdk)
  for (const name of ['tools.mjs', sdk.driver]) copyFileSync(resolve('test/agents/sdks', name), join(folder, name))
  return folder
}

async function runDriver(script: string, world: World, input: string) {
  // Some agents look for such a file in all the folders above theirs: it must stand beside them.
  const folder = join(world.folder, 'sdk')
  mkdirSync(folder, { recursive: true })
  const args = [
    'connect',
    'openai',
    '--url',
    world.recorder.urlFor('RUN'),
    '--model',
    'any',
    '--key',
    'test-key',
    '--write',
  ]
  await runDragoman(args, { folder })
  const env = { PATH: programPath, HOME: folder, OPENAI_AGENTS_DISABLE_TRACING: '1' }
  const child = spawn(process.execPath, ['--env-file=dragoman/openai.env', script], {
    cwd: folder,
    env,
    timeout: runMs,
  })
  child.stdin.end(input)
  const { out, complaints } = await outcomeOf(child)
  const lines = out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Done] : []))
  return { lines, complaints }
}
