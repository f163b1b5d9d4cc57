import type { Teaching, ToolListing } from './dialect.ts'

/** Tools as OpenAI's JSON, one a line, in `<tools>`: what most open models were trained on. */
const toolLines: ToolListing = {
  style: 'openai-json',
  open: '<tools>\n',
  separator: '\n',
  close: '\n</tools>\n\n',
}

/** Function objects, one a line. */
export const functionLines: ToolListing = { style: 'function-json', open: '', separator: '\n', close: '\n\n' }

/** Results as most templates show them. */
export const toolResponse = { result: '<tool_response>\n{content}\n</tool_response>', resultSeparator: '\n' } as const

interface Lesson {
  readonly tools?: ToolListing
  /** How a call is written, in words: a sentence that names the marks. */
  readonly how: string
  /** One call an answer, by the dialect's rules. */
  readonly single?: boolean
  readonly result: string
  readonly resultSeparator: string
}

/** In the order most families were trained on, and short: the tools, how a call is written, the pattern of one. */
export function lesson({ tools = toolLines, how, single = false, result, resultSeparator }: Lesson): Teaching {
  const some = single ? 'one of these tools' : 'one or more of these tools'
  return {
    intro: `# Tools\n\nYou may call ${some} to help with the user's request:\n\n`,
    tools,
    rules: `${how}\n\n{example}`,
    result,
    resultSeparator,
  }
}
