import type { Flavour, Traits } from './flavour.ts'
import { deepseek, gemini, groq, mistral, openai, openrouter, poeV1 } from './hosted.ts'
import { llamacpp } from './llamacpp.ts'
import { ollama } from './ollama.ts'
import {
  dockerModelRunner,
  dragoman,
  dynamo,
  koboldcpp,
  llamaSwap,
  lmstudio,
  sglang,
  tabbyapi,
  tgi,
  trtllm,
  unknown,
} from './servers.ts'
import { vllm } from './vllm.ts'

/** Every flavour. Where fingerprints overlap, the first wins: SGLang answers Ollama's questions as well. */
export const flavours: readonly Flavour[] = [
  // It answers the questions of all whose doors it has.
  dragoman,
  sglang,
  // It answers vLLM's questions as well.
  trtllm,
  dynamo,
  vllm,
  llamacpp,
  lmstudio,
  koboldcpp,
  tabbyapi,
  llamaSwap,
  dockerModelRunner,
  ollama,
  tgi,
  openrouter,
  groq,
  mistral,
  deepseek,
  gemini,
  openai,
  poeV1,
  unknown,
]

export function findFlavour(name: string, known: readonly Flavour[] = flavours): Flavour | undefined {
  return known.find((flavour) => flavour.name === name)
}

export function flavourOfHost(host: string, known: readonly Flavour[] = flavours): Flavour | undefined {
  return known.find(({ hosts = [] }) => hosts.some((own) => host === own || host.endsWith(`.${own}`)))
}

/** What this version of the service does. */
export function traitsOf({ traits, older = [] }: Flavour, version: string | undefined): Traits {
  const changed = version === undefined ? undefined : older.find(({ before }) => isBefore(version, before))
  return changed === undefined ? traits : { ...traits, ...changed.traits }
}

function isBefore(version: string, other: string): boolean {
  const [left, right] = [version, other].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0))
  for (const [place, part] of (right ?? []).entries()) {
    const own = left?.[place] ?? 0
    if (own !== part) return own < part
  }
  return false
}
