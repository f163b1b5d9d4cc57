import { originOf, type Target } from './client.ts'

/** A client that is set up by hand: what goes where. */
export interface ByHand {
  readonly name: string
  readonly title: string
  lines(target: Target): readonly string[]
}

export const byHand: readonly ByHand[] = [
  {
    name: 'cursor',
    title: 'Cursor',
    lines: () => [
      'In Cursor: Settings, Models, API Keys. Turn on "Override OpenAI Base URL", fill in URL and key, and add the model by its name.',
      'Cursor asks from its own servers, so 127.0.0.1 does not reach your machine: put the gateway behind a public https address, with keys.',
    ],
  },
  {
    name: 'zed',
    title: 'Zed',
    lines: ({ context }) => [
      'In Zed: Agent Panel, Settings, LLM Providers, Add Provider, OpenAI. Fill in URL, key and model.',
      `As max tokens of the model, write ${context}.`,
    ],
  },
  {
    name: 'aider',
    title: 'aider',
    lines: ({ url, model }) => [
      `Set OPENAI_API_BASE=${url} and OPENAI_API_KEY to the key.`,
      `Run it: aider --model openai/${model}`,
    ],
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    lines: () => [
      "Gemini CLI speaks only Google's own API, which is not served here.",
      'Qwen Code came out of it and can be connected: run `dragoman connect qwen-code`.',
    ],
  },
  {
    name: 'copilot',
    title: 'GitHub Copilot',
    lines: (target) => [
      'In VS Code: Chat, the list of models, Manage Models, OpenAI Compatible. Fill in URL, key and model.',
      `Where only Ollama is offered, its endpoint is ${originOf(target)}.`,
    ],
  },
]
