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
  readonly format: 'json' | 'yaml' | 'env'
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
    name: 'claude-code',
    title: 'Claude Code',
    settings: ({ url, model, key, context }) => ({
      place: 'home',
      path: '.claude/settings.json',
      format: 'json',
      value: {
        env: {
          ANTHROPIC_BASE_URL: withoutVersion(url),
          ANTHROPIC_AUTH_TOKEN: key,
          ANTHROPIC_MODEL: model,
          ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
          ...(context !== undefined && { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(context) }),
        },
      },
    }),
    hints: () => ['Run it: claude -p "Say what you see here"'],
  },
  {
    name: 'anthropic',
    title: 'Anthropic SDK',
    settings: ({ url, key }) => ({
      place: 'here',
      path: '.env',
      format: 'env',
      value: { ANTHROPIC_BASE_URL: withoutVersion(url), ANTHROPIC_API_KEY: key },
    }),
    hints: ({ model }) => [
      `Run it: node --env-file=.env app.js, with model: ${JSON.stringify(model)} in the request`,
      'The AI SDK wants the URL with /v1: createAnthropic({ baseURL: `${process.env.ANTHROPIC_BASE_URL}/v1` }).',
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

/** Clients of Anthropic's API put the version into the path themselves. */
function withoutVersion(url: string): string {
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
