import type { ToolChoice } from '../../../src/protocol/tool.ts'
import { mustCall, mustCallOneOfThem, onlyOneCall } from '../../../src/turn/prompt/teach/teach.ts'

interface Directives {
  readonly choice?: ToolChoice
  readonly onlyOne: boolean
  /** What follows them. */
  readonly rest: string
}

const named = /^Your next answer must call the tool ([\w-]+) and no other tool\./
const allowed = /^For now, use only these tools: ([\w-]+(?:, [\w-]+)*)\./

/** The inverse of saying them: the directives a text begins with. */
export function readDirectives(text: string): Directives {
  let rest = text.trimStart()
  const take = (directive: string | undefined): boolean => {
    if (directive === undefined || !rest.startsWith(directive)) return false
    rest = rest.slice(directive.length).trimStart()
    return true
  }
  const [oneTool, name = ''] = named.exec(rest) ?? []
  const [someTools, names = ''] = allowed.exec(rest) ?? []
  let choice: ToolChoice | undefined
  if (take(mustCall)) choice = { mode: 'required' }
  else if (take(oneTool)) choice = { mode: 'named', name }
  else if (take(someTools)) choice = { mode: 'allowed', names: names.split(', '), required: take(mustCallOneOfThem) }
  const onlyOne = take(onlyOneCall)
  return { ...(choice !== undefined && { choice }), onlyOne, rest }
}
