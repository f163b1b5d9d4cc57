import type { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReal } from '../real/service.ts'
import { ask, isOneCall, startBefore, type Tool, toWire } from './ask.ts'
import { count, type Figure, plain, question, referring } from './rows.ts'
import { printTinyModel, switchedTemplate, thinkingTemplate } from './tiny-model.ts'

/** Ollama's own template language, with tools: with it, its own code writes the prompt and reads the calls. */
const ownTemplate = `{{- if .System }}<|im_start|>system
{{ .System }}<|im_end|>
{{ end }}{{- if .Tools }}<|im_start|>system
{{ range .Tools }}{{ . }}
{{ end }}Write <tool_call>{"name": ..., "arguments": ...}</tool_call><|im_end|>
{{ end }}{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}{{ range .ToolCalls }}<tool_call>{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}</tool_call>{{ end }}<|im_end|>
{{ end }}<|im_start|>assistant
`

/** The gateway in front of a real Ollama, with both its ways to run a model. */
export async function examineOllama(program: string, runs: number): Promise<readonly Figure[]> {
  return [
    ...(await examineEngine(program, runs, 'llama.cpp inside', undefined)),
    ...(await examineEngine(program, runs, 'its own parser', ownTemplate)),
  ]
}

async function examineEngine(
  program: string,
  runs: number,
  engine: string,
  template: string | undefined,
): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-real-'))
  const service = await startReal(
    (port) => ({
      command: [program, 'serve'],
      environment: {
        HOME: folder,
        OLLAMA_MODELS: join(folder, 'models'),
        OLLAMA_HOST: `127.0.0.1:${port}`,
        ...(template !== undefined && { OLLAMA_GO_TEMPLATE: '1' }),
      },
    }),
    '/api/version',
  )
  const gateway = await startBefore(service.origin)
  const larger = await startBefore(service.origin, { context: 8_192 })
  const named = (what: string) => `Ollama, ${engine}: ${what}`

  const required = (what: string, tools: readonly Tool[], model = 'tiny') =>
    count(named(what), runs, async (run) => {
      const asked = { model, tools: toWire(tools), tool_choice: 'required', stream: run % 2 === 1 }
      return isOneCall(await ask(gateway.origin, question(run, asked)), tools)
    })
  // Of one long message its own parser cuts a part away, of many short ones both leave some out.
  const long = Array.from({ length: 21 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: 'word '.repeat(60),
  }))

  try {
    await createModel(service.origin, 'tiny', printTinyModel(), template)
    if (template === undefined) {
      await createModel(service.origin, 'thinks', printTinyModel(thinkingTemplate), undefined)
      await createModel(service.origin, 'may-think', printTinyModel(switchedTemplate), undefined)
    }
    const names = ['tiny', 'Tiny:latest', 'library/tiny:latest']
    return [
      await count(named('all names of a model'), names.length, async (run) => {
        return (await ask(gateway.origin, question(run, { model: names[run] ?? '', max_tokens: 5 }))).status === 200
      }),
      await required('required, plain schemas', plain),
      await required('required, schemas with $ref', referring),
      ...(template === undefined
        ? [
            await required('required, a template that always opens a thought', plain, 'thinks'),
            await required('required, a thought that can be switched off', plain, 'may-think'),
          ]
        : []),
      await count(named('a native call within 60 tokens is no failure'), runs, async (run) => {
        const asked = { model: 'tiny', tools: toWire(plain), max_tokens: 60, stream: run % 2 === 1 }
        const said = await ask(gateway.origin, question(run, asked))
        return said.status === 200 && said.error === undefined && said.finish !== undefined
      }),
      await count(named('a cut prompt is told'), 3, async (run) => {
        const said = await ask(gateway.origin, question(run, { model: 'tiny', messages: long, max_tokens: 5 }))
        return said.notice.includes('prompt_truncated')
      }),
      await count(named('with a context of its own it is whole'), 3, async (run) => {
        const said = await ask(larger.origin, question(run, { model: 'tiny', messages: long, max_tokens: 5 }))
        return said.status === 200 && !said.notice.includes('prompt_truncated')
      }),
      await count(named('an effort it cannot make is left out'), 3, async (run) => {
        const asked = { model: 'tiny', reasoning_effort: 'high', max_tokens: 5 }
        return (await ask(gateway.origin, question(run, asked))).status === 200
      }),
    ]
  } finally {
    await gateway.stop()
    await larger.stop()
    service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function createModel(origin: string, name: string, model: Buffer, template: string | undefined): Promise<void> {
  const digest = `sha256:${createHash('sha256').update(model).digest('hex')}`
  await expectFine(await fetch(`${origin}/api/blobs/${digest}`, { method: 'POST', body: new Uint8Array(model) }))
  const body = {
    model: name,
    files: { 'tiny.gguf': digest },
    stream: false,
    ...(template !== undefined && { template }),
  }
  await expectFine(await fetch(`${origin}/api/create`, { method: 'POST', body: JSON.stringify(body) }))
}

async function expectFine(response: Response): Promise<void> {
  const said = await response.text()
  if (!response.ok || said.includes('"error"')) throw new Error(`Ollama does not take the model: ${said}`)
}
