import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Dialect, hasFaintMarks } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { constrain } from '../../src/engine/constrain/constrain.ts'
import { printGbnf } from '../../src/engine/constrain/grammar/print.ts'
import { printCalls } from '../../src/engine/print.ts'
import { createReader } from '../../src/engine/reader.ts'
import { type Answer, fold } from '../../src/protocol/fold.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Tool, ToolChoice } from '../../src/protocol/tool.ts'
import { checkArguments } from '../../src/schema/check.ts'
import { compileParameters } from '../../src/schema/compile.ts'
import { startReal } from '../real/service.ts'
import { type Figure, plain, referring, type Tell } from './rows.ts'
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

/** So many questions are asked at a time: the server reads them together. */
const slots = 4
/** A call is said in a fraction of this. */
const maxTokens = 1_000

/** The grammars themselves in a real llama.cpp whose model knows nothing. `which`: `forms` for one dialect of each form of arguments, `all`, or their names. */
export async function examineGrammars(program: string, runs: number, which: string, tell: Tell): Promise<void> {
  const named = new Set(which.split(','))
  const tried = dialects.filter(
    ({ name }) => which === 'all' || (which === 'forms' ? forms.has(name) : named.has(name)),
  )
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-real-'))
  try {
    for (const dialect of tried) await examineDialect(program, folder, dialect, runs, tell)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A model for each dialect: among the marks of all of them it would rarely say those it is asked for. */
async function examineDialect(program: string, folder: string, dialect: Dialect, runs: number, tell: Tell) {
  const model = join(folder, 'tiny.gguf')
  const template = join(folder, 'template.jinja')
  writeFileSync(model, printTinyModel(undefined, beginningsOf(dialect), piecesOf(dialect)))
  writeFileSync(template, thinkingTemplate)
  const serve = async (more: readonly string[], use: (origin: string) => Promise<void>) => {
    const context = ['-c', String(slots * 4096), '-np', String(slots), '-t', '1', '-tb', '1']
    const command = (port: number) => [program, '-m', model, '--port', String(port), '--jinja', ...context, ...more]
    const service = await startReal((port) => ({ command: command(port) as [string, ...string[]] }), '/health')
    try {
      await use(service.origin)
    } finally {
      service.stop()
    }
  }
  await serve([], async (origin) => {
    tell(await required(origin, dialect, runs))
    tell(await auto(origin, dialect, runs))
  })
  await serve(['--chat-template-file', template], async (origin) => {
    tell(await required(origin, dialect, Math.ceil(runs / 10), '</think>'))
  })
}

function printed(dialect: Dialect) {
  return offered.map(({ name }) => ({
    name,
    text: printCalls(dialect, [{ id: 'call_1', name, arguments: '{"path":"a","room":"den"}' }], offered),
  }))
}

/** Tags, keys and words of its calls: tokens as well, so that values have marks in them, and calls are said in fewer steps. */
function piecesOf(dialect: Dialect): readonly string[] {
  const pieces = printed(dialect).flatMap(({ text }) => text.match(/<[^<>]{2,60}>|"[a-z_]+"(?:: ?)?|\w{4,}/g) ?? [])
  return [...pieces, 'null', '"level":', '"size":', '"branch":', '"from":', '"to":', '</think>']
}

/** How the calls of a dialect begin: tokens of the model, so that chance finds them. */
function beginningsOf(dialect: Dialect): readonly string[] {
  const calls = printed(dialect)
  // Faint marks count where a line begins, and with a tool's name after them.
  if (hasFaintMarks(dialect.grammar)) {
    return calls.map(({ name, text }) => `\n${text.slice(0, text.indexOf(name) + name.length + 1)}`)
  }
  const [first = '', second = ''] = calls.map(({ text }) => text)
  let length = 0
  while (first[length] !== undefined && first[length] === second[length]) length++
  // One character is a token already; then it is a name that a call begins with, and what makes it a call.
  return [length > 1 ? first.slice(0, length) : (/^\W?\w+\W?/.exec(first)?.[0] ?? first)]
}

/** Answers that are valid calls and nothing else. */
async function required(origin: string, dialect: Dialect, runs: number, thought?: string): Promise<Figure> {
  const grammar = grammarFor(dialect, { mode: 'required' }, thought)
  let met = 0
  const misses: string[] = []
  await inSlots(runs, async (run) => {
    const { answer, said } = await ask(origin, dialect, grammar, run)
    if (answer.calls.length === 1 && answer.content.trim() === '' && answer.calls.every(isValid)) met += 1
    else misses.push(said)
  })
  return { what: `${dialect.name}: required${thought === undefined ? '' : ' after a thought'}`, met, of: runs, misses }
}

/** Of the calls that are told, those that are valid. */
async function auto(origin: string, dialect: Dialect, runs: number): Promise<Figure> {
  const grammar = grammarFor(dialect, { mode: 'auto' })
  let met = 0
  let of = 0
  const misses: string[] = []
  await inSlots(runs, async (run) => {
    const { answer, said } = await ask(origin, dialect, grammar, run)
    const valid = answer.calls.filter(isValid).length
    of += answer.calls.length
    met += valid
    if (valid < answer.calls.length) misses.push(said)
  })
  return { what: `${dialect.name}: auto, calls told in ${runs} answers`, met, of, misses }
}

/** Every run once, several at a time. */
async function inSlots(runs: number, act: (run: number) => Promise<void>): Promise<void> {
  let next = 0
  const slot = async () => {
    while (next < runs) await act(next++)
  }
  await Promise.all(Array.from({ length: slots }, slot))
}

function grammarFor(dialect: Dialect, choice: ToolChoice, thought?: string): string {
  const options = { dialect, tools: offered, choice, parallel: false, thought, thoughtLimit: 100, others: dialects }
  return printGbnf(constrain(options).tree)
}

function isValid({ name, arguments: json }: Answer['calls'][number]): boolean {
  const tool = offered.find((one) => one.name === name)
  return tool !== undefined && checkArguments(compileParameters(tool.parameters), JSON.parse(json)).length === 0
}

interface Heard {
  readonly answer: Answer
  readonly said: string
}

async function ask(origin: string, dialect: Dialect, grammar: string, run: number): Promise<Heard> {
  const body: JsonObject = {
    messages: [{ role: 'user', content: `Do number ${run}.` }],
    max_tokens: maxTokens,
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
  const text = choice?.message.content ?? ''
  const events = [...reader.push(text)]
  const answer = fold([...events, ...reader.end(choice?.finish_reason === 'length' ? 'length' : 'stop')])
  return { answer, said: text }
}
