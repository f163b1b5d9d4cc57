import type { Client } from './client.ts'

export const qwenCode: Client = {
  name: 'qwen-code',
  aliases: ['qwen'],
  title: 'Qwen Code',
  settings: ({ url, model, key }) => ({
    place: 'home',
    path: '.qwen/.env',
    format: 'env',
    value: { OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODEL: model },
  }),
  hints: () => ['Run it: qwen --auth-type openai'],
  launch: {
    program: 'qwen',
    install: 'Install it with: npm install -g @qwen-code/qwen-code',
    start: ({ url, model, key }) => ({
      // Flags, because its settings file would win over the variables.
      args: ['--auth-type', 'openai', '--openai-base-url', url, '--model', model],
      environment: { OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODEL: model },
    }),
  },
}
