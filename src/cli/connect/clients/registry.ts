import { didYouMean } from '../../../protocol/text/nearest.ts'
import { UsageError } from '../../arguments.ts'
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

interface Named {
  readonly name: string
  readonly aliases?: readonly string[]
}

/** The client of this name or alias; wrong usage where there is none among these. */
export function findClient<C extends Named>(name: string | undefined, clients: readonly C[]): C {
  const client = clients.find((one) => one.name === name || one.aliases?.some((alias) => alias === name))
  if (client !== undefined) return client
  const names = clients.map((one) => one.name)
  if (name === undefined) throw new UsageError(`Which client? Name one of ${names.join(', ')}.`)
  const remedy = didYouMean(name, names, `Known clients: ${names.join(', ')}.`)
  throw new UsageError(`There is no client called "${name}". ${remedy}`)
}
