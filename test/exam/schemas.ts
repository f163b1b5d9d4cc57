import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '../../src/protocol/json.ts'
import { checkArguments } from '../../src/schema/check.ts'
import { compileParameters } from '../../src/schema/compile.ts'
import { hardSamples, refusedSamples } from '../constrain/hard-schemas.ts'
import { startReal } from '../real/service.ts'
import { ask, type Said, startBefore, type Tool, toWire } from './ask.ts'
import type { Figure, Tell } from './rows.ts'
import { briefTemplate, printTinyModel } from './tiny-model.ts'

const modes = ['straight', 'native', 'template', 'prompt'] as const
const choices = ['auto', 'required'] as const
/** So many schemas are asked about together, besides each by itself. */
const together = 10

/** A schema is refused before the first word; a call that must be made is looked at, where it comes to its end. */
const maxTokens = { auto: 16, required: 300 } as const

interface SchemaSample {
  readonly id: string
  readonly schema: JsonObject
}

/** Schemas as tools have them that make servers refuse requests; by themselves, or of a file with JSON lines `{id, schema}`. */
function readSchemas(file: string | undefined): readonly SchemaSample[] {
  if (file === undefined) return [...hardSamples, ...refusedSamples].map(({ name, schema }) => ({ id: name, schema }))
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as SchemaSample)
}

/** A server that runs already, or llama.cpp, started with a tiny model. */
type Server = { readonly endpoint: string } | { readonly llamaServer: string }

/**
 * Every schema put to a real server as a tool's parameters, by itself and as one of ten, in every way tools can be told: how many
 * requests are answered. `straight`, without the gateway, shows what the server refuses.
 */
export async function examineSchemas(server: Server, file: string | undefined, tell: Tell): Promise<void> {
  const samples = readSchemas(file)
  const service = 'endpoint' in server ? await serviceAt(server.endpoint) : await startTiny(server.llamaServer)
  const gateway = await startBefore(service.origin)
  try {
    const sets: readonly (readonly [string, readonly (readonly SchemaSample[])[]])[] = [
      ['alone', samples.map((sample) => [sample])],
      ['one of ten', tens(samples)],
    ]
    for (const mode of modes) {
      for (const choice of choices) {
        for (const [how, groups] of sets) {
          const origin = mode === 'straight' ? service.origin : gateway.origin
          const put = (group: readonly SchemaSample[]) => askWith(origin, service.model, mode, choice, group)
          for (const figure of await count(`${mode}, ${choice}, ${how}`, groups, choice, put)) {
            tell(mode === 'straight' ? { ...figure, isControl: true } : figure)
          }
        }
      }
    }
  } finally {
    await gateway.stop()
    service.stop()
  }
}

interface Service {
  readonly origin: string
  readonly model: string
  stop(): void
}

async function serviceAt(origin: string): Promise<Service> {
  const { data } = (await (await fetch(`${origin}/v1/models`)).json()) as { data: readonly { id: string }[] }
  return { origin, model: data[0]?.id ?? '', stop: () => undefined }
}

async function startTiny(program: string): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-real-'))
  const model = join(folder, 'tiny.gguf')
  writeFileSync(model, printTinyModel(briefTemplate))
  const context = ['--alias', 'tiny', '-c', '131072', '-np', '1', '-t', '1', '-tb', '1', '--jinja']
  const command = (port: number): [string, ...string[]] => [program, '-m', model, '--port', String(port), ...context]
  const { origin, stop } = await startReal((port) => ({ command: command(port) }), '/health')
  const stopAll = () => {
    stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { origin, model: 'tiny', stop: stopAll }
}

function tens(samples: readonly SchemaSample[]): readonly (readonly SchemaSample[])[] {
  const count = Math.ceil(samples.length / together)
  return Array.from({ length: count }, (_, at) => samples.slice(at * together, (at + 1) * together))
}

const toolsOf = (group: readonly SchemaSample[]): readonly Tool[] =>
  group.map(({ schema }, index) => ({ name: `tool_${index}`, parameters: { ...schema, type: 'object' } }))

async function askWith(
  origin: string,
  model: string,
  mode: (typeof modes)[number],
  choice: (typeof choices)[number],
  group: readonly SchemaSample[],
): Promise<Said> {
  const body = {
    model,
    messages: [{ role: 'user', content: 'Go.' }],
    tools: toWire(toolsOf(group)),
    tool_choice: choice,
    parallel_tool_calls: false,
    max_tokens: maxTokens[choice],
  }
  return await ask(origin, body, mode === 'straight' ? {} : { 'x-dragoman-tools': mode })
}

/** How many requests were not refused, and of the calls that had to be made and came to their end, how many fit the whole schema. */
async function count(
  what: string,
  groups: readonly (readonly SchemaSample[])[],
  choice: (typeof choices)[number],
  put: (group: readonly SchemaSample[]) => Promise<Said>,
): Promise<readonly Figure[]> {
  const misses: string[] = []
  const unfit: string[] = []
  let whole = 0
  for (const group of groups) {
    const said = await put(group)
    const named = group.map(({ id }) => id).join(', ')
    if (said.status !== 200) misses.push(`${named}: ${said.status} ${said.error ?? ''}`)
    if (choice !== 'required' || said.finish !== 'tool_calls') continue
    whole += 1
    if (!said.calls.every((call) => fits(call, toolsOf(group)))) unfit.push(named)
  }
  const answered = { what: `${what}: answered`, met: groups.length - misses.length, of: groups.length, misses }
  if (whole === 0) return [answered]
  const valid = { what: `${what}: valid`, met: whole - unfit.length, of: whole, misses: unfit, isControl: true }
  return [answered, valid]
}

function fits(call: { readonly name: string; readonly arguments: string }, tools: readonly Tool[]): boolean {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) return false
  try {
    return checkArguments(compileParameters(tool.parameters), JSON.parse(call.arguments) as JsonObject).length === 0
  } catch {
    return false
  }
}
