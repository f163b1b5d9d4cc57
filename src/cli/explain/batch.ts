import { readToolChoice } from '../../doors/openai-chat/request/tools.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { type ExplainRequest, explainAnswer, type Tools, toTools } from './answer.ts'
import { findInGrammar } from './grammar.ts'

/** What holds for the lines that do not say otherwise. */
export interface BatchDefaults {
  readonly tools?: Tools | undefined
  readonly dialect?: string | undefined
  readonly cut?: number | undefined
  /** Whether each answer is looked at by its grammar, too. */
  readonly grammar?: boolean | undefined
}

/** One line of a batch in, the line that answers it out. */
export function explainLine(line: string, defaults: BatchDefaults): { readonly fine: boolean; readonly line: string } {
  let id: unknown = null
  try {
    const record = parseLine(line)
    id = record['id'] ?? null
    const said = readExplainRequest(record, defaults)
    const { explanation } = explainAnswer(said, false)
    const grammar = defaults.grammar === true ? { grammar: findInGrammar(said, explanation.dialect) } : {}
    return { fine: true, line: JSON.stringify({ id, ...explanation, ...grammar }) }
  } catch (error) {
    return { fine: false, line: JSON.stringify({ id, error: error instanceof Error ? error.message : String(error) }) }
  }
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch (error) {
    throw new Error(`The line is not JSON: ${(error as SyntaxError).message}`)
  }
  if (!isJsonObject(record)) throw new Error('The line is not a JSON object.')
  return record
}

function readExplainRequest(record: Readonly<Record<string, unknown>>, defaults: BatchDefaults): ExplainRequest {
  const { text, dialect, parallel_tool_calls: parallel, finish_reason: finish, cut } = record
  if (typeof text !== 'string') throw new Error('text: expected a string.')
  const tools =
    record['tools'] === undefined && defaults.tools !== undefined ? defaults.tools : toTools(record['tools'])
  if (!isAbsent(dialect) && typeof dialect !== 'string') throw new Error('dialect: expected a string.')
  if (!isAbsent(parallel) && typeof parallel !== 'boolean')
    throw new Error('parallel_tool_calls: expected true or false.')
  if (!isAbsent(cut) && !(Number.isSafeInteger(cut) && Number(cut) > 0))
    throw new Error('cut: expected a whole number from 1.')
  return {
    text,
    tools,
    dialect: dialect ?? defaults.dialect,
    toolChoice: readToolChoice(record['tool_choice'], tools),
    parallelCalls: parallel ?? undefined,
    finishReason: readFinish(finish),
    startsIn: readChoice('starts_in', record['starts_in'], ['text', 'reasoning'] as const),
    unknownTools: readChoice('unknown_tools', record['unknown_tools'], ['auto', 'call', 'text'] as const),
    quoted: readQuoted(record['quoted']),
    cut: isAbsent(cut) ? defaults.cut : Number(cut),
  }
}

function readChoice<Choice extends string>(
  field: string,
  given: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  if (isAbsent(given)) return undefined
  const chosen = choices.find((choice) => choice === given)
  if (chosen === undefined) throw new Error(`${field}: expected one of ${choices.join(', ')}.`)
  return chosen
}

function readQuoted(given: unknown): ExplainRequest['quoted'] {
  if (isAbsent(given)) return []
  const isCall = (call: unknown) =>
    isJsonObject(call) && typeof call['name'] === 'string' && typeof call['arguments'] === 'string'
  if (!Array.isArray(given) || !given.every(isCall)) throw new Error('quoted: expected a list of {name, arguments}.')
  return given
}

/** How the upstream said it ended. Whether that means calls is what the reading finds out. */
function readFinish(finish: unknown): ExplainRequest['finishReason'] {
  if (isAbsent(finish) || finish === 'stop' || finish === 'tool_calls' || finish === 'function_call') return 'stop'
  if (finish === 'length' || finish === 'content_filter') return finish
  throw new Error('finish_reason: expected one of stop, length, tool_calls, content_filter.')
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}
