import { printSettings } from '../../edit/settings.ts'
import { type Client, limitOf, type SettingsFile, type Target } from './client.ts'

export const continueCli: Client = {
  name: 'continue',
  aliases: ['cn', 'continue-cli'],
  title: 'Continue',
  settings,
  hints: () => ['Run it: cn --config ~/.continue/config.yaml'],
  launch: {
    program: 'cn',
    install: 'Install it with: npm install -g @continuedev/cli',
    start: (target, keep) => ({ args: ['--config', keep('config.yaml', printSettings(settings(target)))] }),
  },
}

function settings(target: Target): SettingsFile {
  return {
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
  }
}
