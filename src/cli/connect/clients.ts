/** What a client has to be told. */
export interface Target {
  /** With `/v1`. */
  readonly url: string
  readonly model: string
  readonly key: string
  /** How many tokens the model takes, where the gateway knows. */
  readonly context?: number
}

/** A file of the client, and what has to stand in it. What else stands there is left alone. */
export interface SettingsFile {
  /** Relative to the user's home, or to the folder the client works in. */
  readonly place: 'home' | 'here'
  readonly path: string
  readonly format: 'json' | 'yaml' | 'toml' | 'env'
  readonly value: Readonly<Record<string, unknown>>
  /** What a new file needs beside them. */
  readonly frame?: Readonly<Record<string, unknown>>
}

export interface Client {
  readonly name: string
  readonly title: string
  settings(target: Target): SettingsFile
  /** What is left to do by hand. */
  hints(target: Target): readonly string[]
}

/** Clients pick limits of their own where they are not told any; these fit most models that can drive an agent. */
function limitOf({ context = 128_000 }: Target): { readonly context: number; readonly output: number } {
  return { context, output: Math.min(32_000, Math.floor(context / 4)) }
}

export const clients: readonly Client[] = [
  {
    name: 'cline',
    title: 'Cline',
    settings: ({ url, model, key }) => ({
      place: 'home',
      path: '.cline/data/settings/providers.json',
      format: 'json',
      value: {
        version: 1,
        lastUsedProvider: 'openai-compatible',
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: key, model, baseUrl: url },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      },
    }),
    hints: ({ url, model, key }) => [
      `Run it: cline -P openai-compatible -m ${model} "Say what you see here"`,
      `Cline 2 keeps its settings elsewhere. Run: cline auth -p openai -k ${key} -m ${model} -b ${url}`,
      `In VS Code: API Provider "OpenAI Compatible", Base URL ${url}, API Key ${key}, Model ID ${model}`,
    ],
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    settings: (target) => ({ place: 'here', path: 'opencode.json', format: 'json', value: openCode(target) }),
    hints: ({ model }) => [`Run it: opencode run -m dragoman/${model} "Say what you see here"`],
  },
  {
    name: 'roo',
    title: 'Roo Code',
    settings: ({ url, model, key }) => ({
      place: 'here',
      path: 'roo-code-settings.json',
      format: 'json',
      value: {
        providerProfiles: {
          currentApiConfigName: 'dragoman',
          apiConfigs: {
            dragoman: {
              id: 'dragoman',
              apiProvider: 'openai',
              openAiBaseUrl: url,
              openAiApiKey: key,
              openAiModelId: model,
            },
          },
        },
      },
    }),
    hints: ({ url, model, key }) => [
      'In VS Code: Roo Code, Settings, About, Import, and choose the file.',
      `By hand: API Provider "OpenAI Compatible", Base URL ${url}, API Key ${key}, Model ${model}`,
    ],
  },
  {
    name: 'continue',
    title: 'Continue',
    settings: (target) => ({
      place: 'home',
      path: '.continue/config.yaml',
      format: 'yaml',
      frame: { name: 'dragoman', version: '1.0.0', schema: 'v1' },
      value: {
        models: [
          {
            name: 'dragoman',
            provider: 'openai',
            model: target.model,
            apiBase: target.url,
            apiKey: target.key,
            roles: ['chat', 'edit', 'apply'],
            capabilities: ['tool_use'],
            defaultCompletionOptions: { contextLength: limitOf(target).context, maxTokens: limitOf(target).output },
          },
        ],
      },
    }),
    hints: () => ['Run it: cn --config ~/.continue/config.yaml'],
  },
  {
    name: 'qwen-code',
    title: 'Qwen Code',
    settings: ({ url, model, key }) => ({
      place: 'home',
      path: '.qwen/.env',
      format: 'env',
      value: { OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODEL: model },
    }),
    hints: () => ['Run it: qwen --auth-type openai'],
  },
  {
    name: 'pi',
    title: 'pi',
    settings: (target) => ({
      place: 'home',
      path: '.pi/agent/models.json',
      format: 'json',
      value: {
        providers: {
          dragoman: {
            baseUrl: target.url,
            api: 'openai-completions',
            apiKey: target.key,
            models: [
              {
                id: target.model,
                name: target.model,
                reasoning: false,
                input: ['text'],
                contextWindow: limitOf(target).context,
                maxTokens: limitOf(target).output,
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              },
            ],
          },
        },
      },
    }),
    hints: ({ model }) => [`Run it: pi --provider dragoman --model ${model}`],
  },
  {
    name: 'kilo',
    title: 'Kilo',
    settings: (target) => ({ place: 'here', path: 'kilo.json', format: 'json', value: openCode(target) }),
    hints: ({ model }) => [`Run it: kilo run -m dragoman/${model} "Say what you see here"`],
  },
  {
    name: 'codex',
    title: 'Codex',
    settings: ({ url, model, key, context }) => ({
      place: 'home',
      path: '.codex/config.toml',
      format: 'toml',
      value: {
        model,
        model_provider: 'dragoman',
        ...(context !== undefined && { model_context_window: context }),
        model_providers: {
          dragoman: { name: 'Dragoman', base_url: url, wire_api: 'responses', experimental_bearer_token: key },
        },
      },
    }),
    hints: () => [
      'Run it: codex "Say what you see here"',
      'Codex offers its patch tool only to models whose names it knows. Name a model gpt-5.5 in your config to get it.',
    ],
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    settings: (target) => ({
      place: 'home',
      path: '.claude/settings.json',
      format: 'json',
      value: {
        env: {
          ANTHROPIC_BASE_URL: originOf(target),
          ANTHROPIC_AUTH_TOKEN: target.key,
          ANTHROPIC_MODEL: target.model,
          ANTHROPIC_DEFAULT_HAIKU_MODEL: target.model,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          ...(target.context !== undefined && {
            CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(target.context),
            CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(limitOf(target).output),
          }),
        },
      },
    }),
    hints: () => [
      'Run it: claude "Say what you see here"',
      'It uses the gateway from now on. To go back, remove these lines from "env".',
    ],
  },
  {
    name: 'anthropic',
    title: 'Anthropic SDK',
    settings: (target) => ({
      place: 'here',
      path: '.env',
      format: 'env',
      value: { ANTHROPIC_BASE_URL: originOf(target), ANTHROPIC_API_KEY: target.key },
    }),
    hints: ({ url, model }) => [
      `Run it: node --env-file=.env app.js, with model: ${JSON.stringify(model)} in the request`,
      `The AI SDK wants the URL with /v1: createAnthropic({ baseURL: ${JSON.stringify(url)} })`,
    ],
  },
  {
    name: 'ollama',
    title: 'Ollama',
    settings: (target) => ({
      place: 'here',
      path: '.env',
      format: 'env',
      value: { OLLAMA_HOST: originOf(target), OLLAMA_API_KEY: target.key },
    }),
    hints: (target) => [
      `Run it: OLLAMA_HOST=${originOf(target)} ollama run ${target.model}`,
      `In JavaScript: new Ollama({ host: ${JSON.stringify(originOf(target))}, headers: { Authorization: 'Bearer ${target.key}' } })`,
      `In an editor that asks for an Ollama URL: ${originOf(target)}`,
    ],
  },
  {
    name: 'openai',
    title: 'OpenAI SDK',
    settings: ({ url, key }) => ({
      place: 'here',
      path: '.env',
      format: 'env',
      value: { OPENAI_BASE_URL: url, OPENAI_API_KEY: key },
    }),
    hints: ({ model }) => [
      `Run it: node --env-file=.env app.js, with model: ${JSON.stringify(model)} in the request`,
      'The OpenAI Agents SDK also needs setOpenAIAPI("chat_completions").',
    ],
  },
]

/** The gateway without `/v1`, for clients that add it themselves or have other paths. */
function originOf({ url }: Target): string {
  return url.replace(/\/v1\/?$/, '')
}

function openCode(target: Target): Readonly<Record<string, unknown>> {
  const { url, model, key } = target
  return {
    model: `dragoman/${model}`,
    small_model: `dragoman/${model}`,
    provider: {
      dragoman: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Dragoman',
        options: { baseURL: url, apiKey: key },
        models: { [model]: { name: model, tool_call: true, limit: limitOf(target) } },
      },
    },
  }
}
