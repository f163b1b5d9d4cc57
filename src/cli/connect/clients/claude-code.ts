import { type Client, limitOf, originOf, type Target } from './client.ts'

export const claudeCode: Client = {
  name: 'claude-code',
  aliases: ['claude'],
  title: 'Claude Code',
  settings: (target) => ({
    place: 'home',
    path: '.claude/settings.json',
    format: 'json',
    value: { env: { ...variables(target), ANTHROPIC_AUTH_TOKEN: target.key } },
  }),
  project: {
    reference: 'printenv DRAGOMAN_KEY',
    settings: ({ key, ...target }) => ({
      place: 'here',
      path: '.claude/settings.json',
      format: 'json',
      value: target.isSecret
        ? { env: variables(target), apiKeyHelper: key }
        : { env: { ...variables(target), ANTHROPIC_AUTH_TOKEN: key } },
    }),
  },
  hints: () => [
    'Run it: claude "Say what you see here"',
    'It uses the gateway from now on. To go back, run `dragoman connect claude-code --remove`.',
  ],
  // With less it compacts its conversation before every turn: 21,000 tokens it keeps free for that, and its own prompt takes 12,000.
  leastContext: 65_536,
  launch: {
    program: 'claude',
    install: 'Install it with: npm install -g @anthropic-ai/claude-code',
    start(target, keep) {
      const env = { ...variables(target), ANTHROPIC_AUTH_TOKEN: target.key }
      return {
        // The user's own settings would win over variables, and these win over the user's.
        args: ['--settings', keep('settings.json', JSON.stringify({ env }))],
        environment: { ...env, ...elsewhere },
      }
    },
  },
}

/** What would send it to another service, or make it ask which key is meant. */
const elsewhere = {
  ANTHROPIC_API_KEY: undefined,
  CLAUDE_CODE_USE_BEDROCK: undefined,
  CLAUDE_CODE_USE_VERTEX: undefined,
  CLAUDE_CODE_USE_FOUNDRY: undefined,
}

function variables(target: Omit<Target, 'key'>): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: originOf(target),
    ANTHROPIC_MODEL: target.model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: target.model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // It assumes a million tokens for a model it does not know.
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(target.context),
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(limitOf(target).output),
  }
}
