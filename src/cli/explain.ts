import { GatewayError } from '../errors.ts'
import { defineVerb, UsageError } from './arguments.ts'
import { dialectNames } from './compose.ts'
import { explainAnswer } from './explain-answer.ts'
import { type BatchDefaults, explainLine } from './explain-batch.ts'
import { printExplanation, printStream } from './explain-text.ts'
import { type Tools, toTools } from './explain-tools.ts'
import { nameOf, Refusal, readJson, readLines, readText } from './input.ts'
import type { Terminal } from './terminal.ts'

export const explain = defineVerb({
  name: 'explain',
  summary: 'show what in the words of a model is a call, and why',
  operands: '[FILE|-]',
  maxOperands: 1,
  flags: {
    tools: { type: 'text', value: 'FILE', help: 'the tools the model was offered, as JSON' },
    dialect: { type: 'text', value: 'NAME', choices: ['auto', ...dialectNames], help: 'the dialect it was taught' },
    cut: { type: 'count', value: 'N', help: 'read it in pieces of N characters, and show each' },
    json: { type: 'switch', help: 'the answer as JSON' },
    batch: { type: 'text', value: 'FILE', help: 'explain every line of a file of JSON lines' },
  },
  details: [
    'The words are read from FILE, or from standard input. A tools file holds an OpenAI tools array, a request with',
    'one, or bare functions. A batch line is {id, text, tools, dialect?, tool_choice?, parallel_tool_calls?,',
    'finish_reason?, cut?}; each gives one line, in order.',
  ],
  async run({ tools: toolsPath, dialect, cut, json, batch }, [path = '-'], terminal) {
    if (batch !== undefined) {
      const tools = toolsPath === undefined ? undefined : await readToolsFile(terminal, toolsPath)
      return await explainBatch(terminal, batch, { tools, dialect, cut })
    }
    if (toolsPath === undefined) throw new UsageError('explain needs the tools the model was offered: --tools FILE.')
    if (toolsPath === '-' && path === '-')
      throw new UsageError('Only one of the words and the tools can be standard input.')
    const tools = await readToolsFile(terminal, toolsPath)
    const text = await readText(terminal, path)
    const { explanation, steps, spans } = explainAnswer({ text, tools, dialect, cut })
    if (json) {
      const shown = spans.map((span) => ({ ...span, text: text.slice(span.from, span.to) }))
      terminal.write(`${JSON.stringify({ ...explanation, spans: shown }, undefined, 2)}\n`)
    } else if (cut === undefined) terminal.write(printExplanation(text, spans, explanation, terminal.paint))
    else terminal.write(printStream(steps, explanation, terminal.paint))
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
