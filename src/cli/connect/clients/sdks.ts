import { type Client, originOf, type Target } from './client.ts'

/** Libraries that read variables: whatever program uses them is started with those. */

export const anthropic: Client = {
  name: 'anthropic',
  title: 'Anthropic SDK',
  settings: (target) => ({ place: 'here', path: '.env', format: 'env', value: anthropicVariables(target) }),
  hints: ({ url, model }) => [
    `Run it: node --env-file=.env app.js, with model: ${JSON.stringify(model)} in the request`,
    `The AI SDK wants the URL with /v1: createAnthropic({ baseURL: ${JSON.stringify(url)} })`,
  ],
  launch: { start: (target) => ({ environment: anthropicVariables(target) }) },
}

export const ollama: Client = {
  name: 'ollama',
  title: 'Ollama',
  settings: (target) => ({ place: 'here', path: '.env', format: 'env', value: ollamaVariables(target) }),
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
  settings: (target) => ({ place: 'here', path: '.env', format: 'env', value: openaiVariables(target) }),
  hints: ({ model }) => [
    `Run it: node --env-file=.env app.js, with model: ${JSON.stringify(model)} in the request`,
    'The OpenAI Agents SDK also needs setOpenAIAPI("chat_completions").',
  ],
  launch: { start: (target) => ({ environment: openaiVariables(target) }) },
}

function anthropicVariables(target: Target): Readonly<Record<string, string>> {
  return { ANTHROPIC_BASE_URL: originOf(target), ANTHROPIC_API_KEY: target.key }
}

function ollamaVariables(target: Target): Readonly<Record<string, string>> {
  return { OLLAMA_HOST: originOf(target), OLLAMA_API_KEY: target.key }
}

function openaiVariables({ url, key }: Target): Readonly<Record<string, string>> {
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: key }
}
