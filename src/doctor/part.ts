import { GatewayError } from '../errors.ts'
import type { ModelSettings } from '../turn/settings.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { Reach } from './ask.ts'

/** Called before each step. */
export type Progress = (doing: string) => void

/** What the configuration says about a model. What is absent is left to the gateway. */
export type Served = Partial<Pick<ModelSettings, 'tools' | 'dialect' | 'template'>>

/** What every part of an examination has to work with. */
export interface Part {
  readonly upstream: Upstream
  readonly model: string
  readonly reach: Reach | undefined
  /** How it is served now. */
  readonly settings: Served
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** A failure in few words: what a service said may be long. */
export function sayFailure(failure: Error): string {
  if (failure.name === 'TimeoutError') return 'it took longer than two minutes.'
  const words = failure instanceof GatewayError ? failure.message : 'the request failed.'
  return words.length > 200 ? `${words.slice(0, 199)}…` : words
}
