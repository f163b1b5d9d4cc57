import { GatewayError } from '../../errors.ts'
import { defineVerb, UsageError } from '../arguments.ts'
import { dialectFlag } from '../compose/vocabulary.ts'
import { nameOf, Refusal, readJson, readLines, readText } from '../terminal/input.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { explainAnswer, type Tools, toTools } from './answer.ts'
import { type BatchDefaults, explainLine } from './batch.ts'
import { findInGrammar, printInGrammar } from './grammar.ts'
import { printExplanation, printStream } from './text.ts'

export const explain = defineVerb({
  name: 'explain',
  summary: "show which parts of a model's output are tool calls, and why",
  operands: '[FILE|-]',
  maxOperands: 1,
  flags: {
    tools: { type: 'text', value: 'FILE', help: 'tools the model was offered, as JSON' },
    dialect: { ...dialectFlag, help: 'format the model was taught (`dragoman dialects` lists them)' },
    cut: { type: 'count', value: 'N', help: 'read the output N characters at a time, and show each step' },
    grammar: { type: 'switch', help: "also show where the output leaves its dialect's grammar" },
    json: { type: 'switch', help: 'print the result as JSON' },
    batch: { type: 'text', value: 'FILE', help: 'explain every line of a JSON Lines file' },
  },
  details: [
    "The model's output is read from FILE, or from standard input. The tools file holds an OpenAI `tools` array, a request that has one, or bare functions.",
    'Each line of a batch is {id, text, tools, dialect?, tool_choice?, parallel_tool_calls?, finish_reason?, cut?}, and gives one line, in order. The inspector exports such lines.',
  ],
  examples: [
    ['dragoman explain answer.txt --tools tools.json', 'shows what is a call in answer.txt'],
    ['dragoman explain answer.txt --tools tools.json --grammar', 'shows the first character that is wrong'],
    ['dragoman explain - --tools tools.json --cut 8 < answer.txt', 'shows what a stream gives, step by step'],
  ],
  async run({ tools: toolsPath, dialect, cut, grammar, json, batch }, [path = '-'], terminal) {
    if (batch !== undefined) {
      const tools = toolsPath === undefined ? undefined : await readToolsFile(terminal, toolsPath)
      return await explainBatch(terminal, batch, { tools, dialect, cut, grammar })
    }
    if (toolsPath === undefined)
      throw new UsageError('Which tools was the model offered? Pass a file with --tools FILE.')
    if (toolsPath === '-' && path === '-') throw new UsageError('Only one of FILE and --tools can be standard input.')
    const tools = await readToolsFile(terminal, toolsPath)
    const text = await readText(terminal, path)
    const { explanation, steps, spans } = explainAnswer({ text, tools, dialect, cut })
    const finding = grammar ? findInGrammar({ text, tools }, explanation.dialect) : undefined
    if (json) {
      const shown = spans.map((span) => ({ ...span, text: text.slice(span.from, span.to) }))
      const result = { ...explanation, ...(finding && { grammar: finding }), spans: shown }
      terminal.write(`${JSON.stringify(result, undefined, 2)}\n`)
      return 0
    }
    if (cut === undefined) terminal.write(printExplanation(text, spans, explanation, terminal.paint))
    else terminal.write(printStream(steps, explanation, terminal.paint))
    if (finding) terminal.write(printInGrammar(text, finding, terminal.paint))
    return 0
  },
})

async function explainBatch(terminal: Terminal, path: string, defaults: BatchDefaults): Promise<number> {
  let allFine = true
  for await (const line of readLines(terminal, path)) {
    if (line.trim() === '') continue
    const answer = explainLine(line, defaults)
    allFine &&= answer.fine
    terminal.write(`${answer.line}\n`)
  }
  return allFine ? 0 : 1
}

async function readToolsFile(terminal: Terminal, path: string): Promise<Tools> {
  const value = await readJson(terminal, path)
  try {
    return toTools(value)
  } catch (error) {
    if (error instanceof GatewayError) throw new Refusal(`${nameOf(path)}: ${error.message}`)
    throw error
  }
}
