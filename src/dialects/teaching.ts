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

/** The same plain lesson for every dialect: the tools, how a call is written, an example, what happens next. */
export function lesson({ tools = toolLines, how, single = false, result, resultSeparator }: Lesson): Teaching {
  return {
    intro: 'You can call tools to help with the user’s request. These are the tools:\n\n',
    tools,
    rules:
      `${how} For example:\n\n{example}\n\n` +
      `${single ? 'Make one call at a time. Then' : 'You may make several calls, one after the other. After your calls,'} ` +
      'stop and wait: the results come in the next message. Answer in words when no tool is needed.',
    result,
    resultSeparator,
  }
}
