import type { Client, Target } from './client.ts'

export const cline: Client = {
  name: 'cline',
  title: 'Cline',
  settings: (target) => ({
    place: 'home',
    path: '.cline/data/settings/providers.json',
    format: 'json',
    value: providers(target),
  }),
  hints: ({ url, model, key }) => [
    `Run it: cline -P openai-compatible -m ${model} "Say what you see here"`,
    `Cline 2 keeps its settings elsewhere. Run: cline auth -p openai -k ${key} -m ${model} -b ${url}`,
    `In VS Code: API Provider "OpenAI Compatible", Base URL ${url}, API Key ${key}, Model ID ${model}`,
  ],
  launch: {
    program: 'cline',
    install: 'Install it with: npm install -g cline',
    start: (target, keep) => ({
      args: ['-P', 'openai-compatible', '-m', target.model],
      environment: {
        CLINE_PROVIDER_SETTINGS_PATH: keep('providers.json', JSON.stringify(providers(target))),
        // Otherwise a daemon that outlives the run would hold the settings of another one.
        CLINE_SESSION_BACKEND_MODE: 'local',
      },
    }),
  },
}

function providers({ url, model, key }: Target): Readonly<Record<string, unknown>> {
  return {
    version: 1,
    lastUsedProvider: 'openai-compatible',
    providers: {
      'openai-compatible': {
        settings: { provider: 'openai-compatible', apiKey: key, model, baseUrl: url },
        updatedAt: '2026-01-01T00:00:00.000Z',
        tokenSource: 'manual',
      },
    },
  }
}
