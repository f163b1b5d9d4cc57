import { schemaFormat } from './constraints.ts'
import { type Flavour, plainTraits } from './flavour.ts'

/** Google's OpenAI-compatible endpoint. Its thinking models sign their calls and refuse a history without the signatures. */
export const gemini: Flavour = {
  name: 'gemini',
  title: 'Gemini',
  hosts: ['generativelanguage.googleapis.com', 'aiplatform.googleapis.com'],
  traits: {
    ...plainTraits,
    customTools: false,
    nativeTools: 'yes',
    providerMetadata: 'remembered',
    toolChoice: 'objects',
    constraints: [schemaFormat],
    takes: ['extra_body', 'modalities', 'audio', 'web_search_options', 'service_tier'],
  },
}
