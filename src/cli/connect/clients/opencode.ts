import { type Client, limitOf, type Target } from './client.ts'

export const opencode: Client = {
  name: 'opencode',
  title: 'OpenCode',
  settings: (target) => ({ place: 'here', path: 'opencode.json', format: 'json', value: openCode(target) }),
  hints: ({ model }) => [`Run it: opencode run -m dragoman/${model} "Say what you see here"`],
  launch: {
    program: 'opencode',
    install: 'Install it with: npm install -g opencode-ai',
    // It is merged over every file of theirs.
    start: (target) => ({ environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify(openCode(target)) } }),
  },
}

/** A fork of OpenCode, with the same settings under another name. */
export const kilo: Client = {
  name: 'kilo',
  title: 'Kilo',
  settings: (target) => ({ place: 'here', path: 'kilo.json', format: 'json', value: openCode(target) }),
  hints: ({ model }) => [`Run it: kilo run -m dragoman/${model} "Say what you see here"`],
  launch: {
    program: 'kilo',
    install: 'Install it with: npm install -g @kilocode/cli',
    start: (target) => ({ environment: { KILO_CONFIG_CONTENT: JSON.stringify(openCode(target)) } }),
  },
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
