import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, parseJson } from '../../src/protocol/json.ts'
import { checkArguments } from '../../src/schema/check.ts'
import { compileParameters } from '../../src/schema/compile.ts'
import { llamacpp } from '../../src/upstreams/flavours/llamacpp.ts'
import { startReal } from '../real/service.ts'
import { ask, isOneCall, startBefore, type Tool, toWire } from './ask.ts'
import { count, type Figure, plain, question, referring } from './rows.ts'
import { printTinyModel, switchedTemplate, thinkingTemplate } from './tiny-model.ts'

const mood: JsonObject = {
  type: 'object',
  properties: { mood: { enum: ['fine', 'bad'] } },
  required: ['mood'],
  additionalProperties: false,
}

function fitsFormat(text: string, format: JsonObject): boolean {
  const value = parseJson(text)
  return value !== undefined && checkArguments(compileParameters(format), value).length === 0
}

/** The gateway in front of a real llama.cpp with a model that knows nothing. */
export async function examineLlamaCpp(program: string, runs: number): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-real-'))
  const model = join(folder, 'tiny.gguf')
  writeFileSync(model, printTinyModel())

  async function serve<T>(template: string | undefined, use: (origin: string) => Promise<T>): Promise<T> {
    const file = join(folder, 'template.jinja')
    if (template !== undefined) writeFileSync(file, template)
    const service = await startReal(
      (port) => ({
        command: [
          program,
          ...['-m', model, '--alias', 'tiny', '--port', String(port), '--jinja', '-c', '8192', '-np', '1', '-t', '1'],
          ...(template === undefined ? [] : ['--chat-template-file', file]),
        ],
      }),
      '/health',
    )
    try {
      return await use(service.origin)
    } finally {
      service.stop()
    }
  }

  /** Required, streamed every other time. */
  async function required(what: string, origin: string, tools: readonly Tool[]): Promise<Figure> {
    const gateway = await startBefore(origin)
    const figure = await count(what, runs, async (run) => {
      const choice = { tool_choice: 'required', parallel_tool_calls: false, stream: run % 2 === 1 }
      return isOneCall(
        await ask(gateway.origin, question(run, { model: 'tiny', tools: toWire(tools), ...choice })),
        tools,
      )
    })
    await gateway.stop()
    return figure
  }

  /** A call begun for the model, which then says anything: what it was given must not be shown twice, nor as a call of its own. */
  async function begun(origin: string): Promise<Figure> {
    const { traits, ...rest } = llamacpp
    const gateway = await startBefore(origin, { flavours: [{ ...rest, traits: { ...traits, constraints: [] } }] })
    const choice = { type: 'function', function: { name: 'read_file' } }
    const figure = await count('a beginning that is repeated is read once', runs, async (run) => {
      const fields = { model: 'tiny', tools: toWire(plain), tool_choice: choice, max_tokens: 60 }
      const said = await ask(gateway.origin, question(run, { ...fields, stream: run % 2 === 1 }))
      const shown = said.content.split('"name": "read_file"').length - 1
      return said.status === 200 && said.calls.length + shown <= 1
    })
    await gateway.stop()
    return figure
  }

  /** Where the model may choose, whatever it calls is valid; with a format, so is whatever else it says. */
  async function free(what: string, origin: string, format?: JsonObject): Promise<Figure> {
    const gateway = await startBefore(origin)
    const schema = { type: 'json_schema', json_schema: { name: 'answer', schema: format ?? {} } }
    const figure = await count(what, runs, async (run) => {
      const fields = { model: 'tiny', tools: toWire(plain), parallel_tool_calls: false, stream: run % 2 === 1 }
      const asked = format === undefined ? fields : { ...fields, response_format: schema }
      const said = await ask(gateway.origin, question(run, asked))
      if (said.status !== 200 || said.finish === 'length') return said.status === 200
      if (said.calls.length > 0) return isOneCall({ ...said, content: '' }, plain)
      return format === undefined || fitsFormat(said.content, format)
    })
    await gateway.stop()
    return figure
  }

  async function kept(origin: string): Promise<Figure> {
    const gateway = await startBefore(origin)
    const figure = await count('a grammar of the client is kept', runs, async (run) => {
      const asked = { model: 'tiny', grammar: 'root ::= "yes"', stream: run % 2 === 1 }
      return (await ask(gateway.origin, question(run, asked))).content === 'yes'
    })
    await gateway.stop()
    return figure
  }

  async function alone(origin: string): Promise<Figure> {
    const hasCall = async (run: number) => {
      const asked = { model: 'tiny', tools: toWire(plain), tool_choice: 'required' }
      return (await ask(origin, question(run, asked))).finish === 'tool_calls'
    }
    return await count('required, llama.cpp alone, any call', runs, hasCall, { isControl: true })
  }

  try {
    return [
      ...(await serve(undefined, async (origin) => [
        await alone(origin),
        await required('required, plain schemas', origin, plain),
        await required('required, schemas with $ref', origin, referring),
        await begun(origin),
        await kept(origin),
        await free('auto, calls that are made', origin),
        await free('auto with a response format, all of it', origin, mood),
      ])),
      await serve(thinkingTemplate, (origin) => free('auto, calls that are made after a thought', origin)),
      await serve(thinkingTemplate, (origin) => required('required, a template that opens a thought', origin, plain)),
      await serve(switchedTemplate, (origin) =>
        required('required, a thought that can be switched off', origin, plain),
      ),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
