import { type Flavour, plainTraits } from './flavour.ts'

export const openai: Flavour = {
  name: 'openai',
  title: 'OpenAI',
  hosts: ['api.openai.com'],
  traits: { ...plainTraits, nativeTools: 'yes', maxTokens: 'max_completion_tokens', schema: 'response_format' },
}
