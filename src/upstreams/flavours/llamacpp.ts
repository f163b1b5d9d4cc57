import { isJsonObject } from '../../protocol/json.ts'
import { type Flavour, plainTraits } from './flavour.ts'
import { isOwnedBy } from './read.ts'

/** It takes tools for every model and writes calls by a grammar; whether the template knows them is in its properties. */
export const llamacpp: Flavour = {
  name: 'llamacpp',
  title: 'llama.cpp',
  fingerprints: [
    { path: '/models', inside: true, fits: (answer) => isOwnedBy(answer, 'llamacpp') },
    { path: '/props', fits: (answer) => 'build_info' in answer || 'default_generation_settings' in answer },
  ],
  tools: {
    path: '/props',
    read: ({ chat_template_caps: caps }) => {
      if (!isJsonObject(caps) || typeof caps['supports_tool_calls'] !== 'boolean') return 'unknown'
      return caps['supports_tool_calls'] && caps['supports_tools'] !== false ? 'yes' : 'no'
    },
  },
  traits: {
    ...plainTraits,
    // An object here is taken for "auto" without a word.
    toolChoice: 'words',
    prefill: { by: 'trailing' },
    schema: 'response_format',
    stops: 16,
    reasoning: 'sent',
  },
}
