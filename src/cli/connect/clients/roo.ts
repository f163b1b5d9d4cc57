import type { Client } from './client.ts'

export const roo: Client = {
  name: 'roo',
  aliases: ['roo-code'],
  title: 'Roo Code',
  settings: ({ url, model, key }) => ({
    place: 'home',
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
}
