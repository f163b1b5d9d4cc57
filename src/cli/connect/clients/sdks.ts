import { type Client, originOf, type ProjectTarget } from './client.ts'

/** Libraries that read variables: whatever program uses them is started with those. */

const own = (name: string) => ({ place: 'config', path: `dragoman/${name}.env`, format: 'env' }) as const
const shared = { place: 'here', path: '.env', format: 'env' } as const

export const anthropic: Client = {
  name: 'anthropic',
  title: 'Anthropic SDK',
  settings: (target) => ({ ...own('anthropic'), value: anthropicVariables(target) }),
  project: { settings: (target) => ({ ...shared, value: anthropicVariables(target) }) },
  hints: ({ url, model }, paths) => [
    `Run it: node ${envFlags(paths)} app.js, with model: ${JSON.stringify(model)} in the request`,
    `The AI SDK wants the URL with /v1: createAnthropic({ baseURL: ${JSON.stringify(url)} })`,
  ],
  launch: { start: (target) => ({ environment: anthropicVariables(target) }) },
}

export const ollama: Client = {
  name: 'ollama',
  title: 'Ollama',
  settings: (target) => ({ ...own('ollama'), value: ollamaVariables(target) }),
  project: { settings: (target) => ({ ...shared, value: ollamaVariables(target) }) },
  hints: (target) => [
    `Run it: OLLAMA_HOST=${originOf(target)} ollama run ${target.model}`,
    `In JavaScript: new Ollama({ host: ${JSON.stringify(originOf(target))}, headers: { Authorization: 'Bearer ${target.key}' } })`,
    `In an editor that asks for an Ollama URL: ${originOf(target)}`,
  ],
  launch: {
    program: 'ollama',
    install: 'Get it from https://ollama.com/download',
    keyless: true,
    start: (target) => ({ environment: ollamaVariables(target), standard: ['run', target.model] }),
  },
}

export const openai: Client = {
  name: 'openai',
  title: 'OpenAI SDK',
  settings: (target) => ({ ...own('openai'), value: openaiVariables(target) }),
  project: { settings: (target) => ({ ...shared, value: openaiVariables(target) }) },
  hints: ({ model }, paths) => [
    `Run it: node ${envFlags(paths)} app.js, with model: ${JSON.stringify(model)} in the request`,
    'The OpenAI Agents SDK also needs setOpenAIAPI("chat_completions").',
  ],
  launch: { start: (target) => ({ environment: openaiVariables(target) }) },
}

function envFlags(paths: readonly string[]): string {
  return paths.map((path) => `--env-file=${path}`).join(' ')
}

function anthropicVariables(target: ProjectTarget): Readonly<Record<string, string>> {
  return { ANTHROPIC_BASE_URL: originOf(target), ...(target.key !== undefined && { ANTHROPIC_API_KEY: target.key }) }
}

function ollamaVariables(target: ProjectTarget): Readonly<Record<string, string>> {
  return { OLLAMA_HOST: originOf(target), ...(target.key !== undefined && { OLLAMA_API_KEY: target.key }) }
}

function openaiVariables({ url, key }: ProjectTarget): Readonly<Record<string, string>> {
  return { OPENAI_BASE_URL: url, ...(key !== undefined && { OPENAI_API_KEY: key }) }
}
