import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Dialect, hasFaintMarks } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { constrain } from '../../src/engine/constrain/constrain.ts'
import { printGbnf } from '../../src/engine/constrain/print.ts'
import { printCalls } from '../../src/engine/print.ts'
import { createReader } from '../../src/engine/reader.ts'
import { type Answer, fold } from '../../src/protocol/fold.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Tool, ToolChoice } from '../../src/protocol/tool.ts'
import { checkArguments } from '../../src/schema/check.ts'
import { compileParameters } from '../../src/schema/compile.ts'
import { type Figure, plain, referring } from './rows.ts'
import { startReal } from './service.ts'
import { printTinyModel, thinkingTemplate } from './tiny-model.ts'

/** One dialect for each way to write arguments. */
const forms: ReadonlySet<string> = new Set([
  'hermes',
  'jamba',
  'apertus',
  'mistral-v3',
  'openai-wrapper',
  'functionary-v3.1',
  'kimi-k2',
  'toolify-xml',
  'qwen3-coder',
  'anthropic-xml',
  'deepseek-dsml-v4',
  'kimi-k3',
  'roo-xml',
  'xml-toolname',
  'pythonic',
  'gemma4',
  'yaml-xml',
  'react',
])

const offered: readonly Tool[] = [...plain, ...referring].map((tool) => ({ kind: 'function', ...tool }))

/** The grammars themselves in a real llama.cpp whose model knows nothing. `which`: `forms` for one dialect of each form of arguments, `all`, or their names. */
export async function examineGrammars(program: string, runs: number, which: string): Promise<readonly Figure[]> {
  const named = new Set(which.split(','))
  const tried = dialects.filter(
    ({ name }) => which === 'all' || (which === 'forms' ? forms.has(name) : named.has(name)),
  )
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-real-'))
  const model = join(folder, 'tiny.gguf')
  const template = join(folder, 'template.jinja')
  writeFileSync(model, printTinyModel(undefined, tried.map(beginningOf)))
  writeFileSync(template, thinkingTemplate)
  const figures: Figure[] = []
  const serve = async (more: readonly string[], use: (origin: string) => Promise<void>) => {
    const start = (port: number) => ({
      command: [
        program,
        ...['-m', model, '--port', String(port), '--jinja', '-c', '8192', '-np', '1', '-t', '1'],
        ...more,
      ] as const,
    })
    const service = await startReal(start, '/health')
    try {
      await use(service.origin)
    } finally {
      service.stop()
    }
  }
  try {
    await serve([], async (origin) => {
      for (const dialect of tried) {
        figures.push(await required(origin, dialect, runs))
        figures.push(await auto(origin, dialect, runs))
      }
    })
    await serve(['--chat-template-file', template], async (origin) => {
      for (const dialect of tried) figures.push(await required(origin, dialect, runs, '</think>'))
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return figures
}

/** How the calls of a dialect begin: a token of the model, so that chance finds it. */
function beginningOf(dialect: Dialect): string {
  const [first = '', second = ''] = offered.map(({ name }) =>
    printCalls(dialect, [{ id: 'call_1', name, arguments: '{}' }], offered),
  )
  let length = 0
  while (first[length] !== undefined && first[length] === second[length]) length++
  // One character is a token already; then it is a name that a call begins with, and what makes it a call.
  const beginning = length > 1 ? first.slice(0, length) : (/^\W?\w+\W?/.exec(first)?.[0] ?? first)
  // Faint marks count where a line begins.
  return hasFaintMarks(dialect.grammar) ? `\n${beginning}` : beginning
}

/** Answers that are valid calls and nothing else. */
async function required(origin: string, dialect: Dialect, runs: number, thought?: string): Promise<Figure> {
  const grammar = grammarFor(dialect, { mode: 'required' }, thought)
  let met = 0
  for (let run = 0; run < runs; run++) {
    const answer = await ask(origin, dialect, grammar, run)
    if (answer.calls.length > 0 && answer.content.trim() === '' && answer.calls.every(isValid)) met += 1
  }
  return { what: `${dialect.name}: required${thought === undefined ? '' : ' after a thought'}`, met, of: runs }
}

/** Of the calls that are told, those that are valid. */
async function auto(origin: string, dialect: Dialect, runs: number): Promise<Figure> {
  const grammar = grammarFor(dialect, { mode: 'auto' })
  let met = 0
  let of = 0
  for (let run = 0; run < runs; run++) {
    const { calls } = await ask(origin, dialect, grammar, run)
    of += calls.length
    met += calls.filter(isValid).length
  }
  return { what: `${dialect.name}: auto, calls told`, met, of }
}

function grammarFor(dialect: Dialect, choice: ToolChoice, thought?: string): string {
  const options = { dialect, tools: offered, choice, parallel: false, thought, thoughtLimit: 100, others: dialects }
  return printGbnf(constrain(options).tree)
}

function isValid({ name, arguments: json }: Answer['calls'][number]): boolean {
  const tool = offered.find((one) => one.name === name)
  return tool !== undefined && checkArguments(compileParameters(tool.parameters), JSON.parse(json)).length === 0
}

async function ask(origin: string, dialect: Dialect, grammar: string, run: number): Promise<Answer> {
  const body: JsonObject = {
    messages: [{ role: 'user', content: `Do number ${run}.` }],
    max_tokens: 2_000,
    temperature: 1.2,
    seed: run,
    grammar,
  }
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const said = (await response.json()) as {
    readonly error?: { readonly message: string }
    readonly choices?: readonly {
      readonly finish_reason: string
      readonly message: { readonly content: string | null }
    }[]
  }
  if (said.error !== undefined) throw new Error(`${dialect.name}: ${said.error.message}`)
  let made = 0
  const reader = createReader({ dialect, others: dialects, tools: offered, newId: () => `call_${++made}` })
  const [choice] = said.choices ?? []
  const events = [...reader.push(choice?.message.content ?? '')]
  return fold([...events, ...reader.end(choice?.finish_reason === 'length' ? 'length' : 'stop')])
}
