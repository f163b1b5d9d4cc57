import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dialects } from '../../src/dialects/registry.ts'
import { startGateway } from '../dragoman.ts'
import { type ScriptedModel, startScriptedModel, textOnly, withTools } from './model.ts'
import { type Recorder, startRecorder } from './recorder.ts'

/** A scripted model, the real gateway before it, a recorder before that, and a folder for all files. */
export interface World {
  readonly model: ScriptedModel
  readonly recorder: Recorder
  readonly folder: string
  /** A name no other run has. */
  nextId(): string
  stop(): Promise<void>
}

/** How the model gets its tools, as a column of the matrix: `native`, or the name of a dialect. */
export type Column = string

export const native: Column = 'native'

/** The name the gateway serves a column under. Some agents look at the name to choose how they behave. */
export function modelNameFor(column: Column, prefix = 'model-'): string {
  return `${prefix}${column}`
}

const prefixes = ['model-', 'kimi-k2-']

export async function startWorld(): Promise<World> {
  const model = await startScriptedModel()
  const models = prefixes.flatMap((prefix) => [
    [modelNameFor(native, prefix), { upstream: 'service', model: withTools, tools: 'native' }] as const,
    ...dialects.map(
      ({ name }) =>
        [modelNameFor(name, prefix), { upstream: 'service', model: textOnly, tools: 'prompt', dialect: name }] as const,
    ),
  ])
  const gateway = await startGateway({
    config: {
      keys: ['test-key'],
      upstreams: { service: { kind: 'openai', url: model.url } },
      models: Object.fromEntries(models),
    },
  })
  const recorder = await startRecorder(gateway.origin)
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-agents-'))
  let runs = 0
  return {
    model,
    recorder,
    folder,
    nextId: () => `errand-${++runs}x${process.pid}`,
    async stop() {
      await recorder.stop()
      await gateway.stop()
      await model.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
