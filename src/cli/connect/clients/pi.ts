import { type Client, limitOf, type Target } from './client.ts'

export const pi: Client = {
  name: 'pi',
  title: 'pi',
  settings: (target) => ({
    place: 'home',
    path: '.pi/agent/models.json',
    format: 'json',
    value: { providers: { dragoman: provider(target) } },
  }),
  hints: ({ model }) => [`Run it: pi --provider dragoman --model ${model}`],
  launch: {
    program: 'pi',
    install: 'Install it with: npm install -g @earendil-works/pi-coding-agent',
    start: (target, keep) => ({
      args: ['--extension', keep('dragoman.js', extension(target)), '--provider', 'dragoman', '--model', target.model],
    }),
  },
}

/** Its models file stands among the user's sessions; an extension brings the provider without moving them. */
function extension(target: Target): string {
  return `export default (pi) => pi.registerProvider("dragoman", ${JSON.stringify(provider(target))})\n`
}

function provider(target: Target): Readonly<Record<string, unknown>> {
  return {
    baseUrl: target.url,
    api: 'openai-completions',
    apiKey: target.key,
    models: [
      {
        id: target.model,
        name: target.model,
        reasoning: false,
        input: ['text'],
        contextWindow: limitOf(target).context,
        maxTokens: limitOf(target).output,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      },
    ],
  }
}
