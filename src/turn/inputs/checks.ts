import { readTextGrammar } from '../../engine/constrain/texts/text-grammar.ts'
import { grammarOf } from '../../protocol/custom.ts'
import type { Request } from '../../protocol/request.ts'
import type { Tool } from '../../protocol/tool.ts'
import { createGrammarCheck, type InputCheck } from './check.ts'
import { isPatchGrammar } from './patch/patch.ts'
import { createPatchCheck } from './patch/patch-check.ts'

/** The checks of a request's custom tools, each made when it is come to. */
export interface InputChecks {
  /** None where nothing is known of what its text has to be. */
  of(name: string): InputCheck | undefined
}

export function createInputChecks({ tools, messages }: Pick<Request, 'tools' | 'messages'>): InputChecks {
  const made = new Map<string, InputCheck | undefined>()

  function make(tool: Tool | undefined): InputCheck | undefined {
    const grammar = tool?.kind === 'custom' ? grammarOf(tool) : undefined
    const tree = grammar && readTextGrammar(grammar)
    if (grammar === undefined || tree === undefined) return undefined
    const check = createGrammarCheck(tree)
    return isPatchGrammar(grammar) ? createPatchCheck(check, messages) : check
  }

  return {
    of(name) {
      if (!made.has(name)) {
        made.set(name, make(tools.find((tool) => tool.name === name)))
      }
      return made.get(name)
    },
  }
}
