import type { Client } from './client.ts'
import { codexCatalogue } from './codex-catalogue.ts'

export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  settings: ({ url, model, key, context }) => ({
    place: 'home',
    path: '.codex/config.toml',
    format: 'toml',
    value: {
      model,
      model_provider: 'dragoman',
      model_context_window: context,
      model_providers: {
        dragoman: { name: 'Dragoman', base_url: url, wire_api: 'responses', experimental_bearer_token: key },
      },
    },
  }),
  hints: () => [
    'Run it: codex "Say what you see here"',
    'Codex offers its patch tool only to models whose names it knows. `dragoman launch codex` tells it of yours; else name a model gpt-5.5 in your config.',
  ],
  launch: {
    program: 'codex',
    install: 'Install it with: npm install -g @openai/codex',
    start: ({ url, model, key, context }, keep) => ({
      args: Object.entries({
        model,
        model_provider: 'dragoman',
        model_context_window: context,
        model_catalog_json: keep('models.json', codexCatalogue({ model, context })),
        'model_providers.dragoman.name': 'Dragoman',
        'model_providers.dragoman.base_url': url,
        'model_providers.dragoman.wire_api': 'responses',
        'model_providers.dragoman.env_key': keyVariable,
        // A JSON string is a TOML string.
      }).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`]),
      environment: { [keyVariable]: key },
    }),
  },
}

/** Arguments of a process can be read by every user of the machine. */
const keyVariable = 'DRAGOMAN_LAUNCH_KEY'
