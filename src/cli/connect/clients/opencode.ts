import { type Client, limitOf, type ProjectTarget } from './client.ts'

const keyReference = '{env:DRAGOMAN_KEY}'

export const opencode: Client = {
  name: 'opencode',
  title: 'OpenCode',
  settings: (target) => ({
    place: 'config',
    path: 'opencode/opencode.json',
    orElse: ['opencode/opencode.jsonc', 'opencode/config.json'],
    format: 'json',
    value: openCode(target),
  }),
  project: {
    reference: keyReference,
    settings: (target) => ({
      place: 'here',
      path: 'opencode.json',
      orElse: ['opencode.jsonc'],
      format: 'json',
      value: openCode(target),
    }),
  },
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
  aliases: ['kilocode', 'kilo-code'],
  settings: (target) => ({
    place: 'config',
    path: 'kilo/kilo.json',
    orElse: ['kilo/kilo.jsonc'],
    format: 'json',
    value: openCode(target),
  }),
  project: {
    reference: keyReference,
    settings: (target) => ({
      place: 'here',
      path: 'kilo.json',
      orElse: ['kilo.jsonc'],
      format: 'json',
      value: openCode(target),
    }),
  },
  hints: ({ model }) => [`Run it: kilo run -m dragoman/${model} "Say what you see here"`],
  launch: {
    program: 'kilo',
    install: 'Install it with: npm install -g @kilocode/cli',
    start: (target) => ({ environment: { KILO_CONFIG_CONTENT: JSON.stringify(openCode(target)) } }),
  },
}

function openCode(target: ProjectTarget): Readonly<Record<string, unknown>> {
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
