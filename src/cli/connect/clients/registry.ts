import { claudeCode } from './claude-code.ts'
import type { Client } from './client.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { continueCli } from './continue.ts'
import { kilo, opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwenCode } from './qwen-code.ts'
import { roo } from './roo.ts'
import { anthropic, ollama, openai } from './sdks.ts'

export const clients: readonly Client[] = [
  cline,
  opencode,
  roo,
  continueCli,
  qwenCode,
  pi,
  kilo,
  codex,
  claudeCode,
  anthropic,
  ollama,
  openai,
]
