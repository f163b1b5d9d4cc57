import type { Dialect } from '../../dialects/dialect.ts'
import { type Constrained, type ConstrainOptions, constrain, isForced } from '../../engine/constrain/constrain.ts'
import { printEbnf, printGbnf } from '../../engine/constrain/print.ts'
import { toStructuralTag } from '../../engine/constrain/structural-tag.ts'
import type { Note } from '../../protocol/event.ts'
import { createMemory } from '../../protocol/memory.ts'
import type { Request } from '../../protocol/request.ts'
import type { Constraint } from '../../upstreams/upstream.ts'
import { type Asked, optionsFor } from './grammar.ts'

/** The notations a service may take. A schema of the whole answer is no grammar of a dialect. */
export type GrammarKind = Exclude<Constraint['kind'], 'json-schema'>

export interface MadeGrammar {
  readonly constraint: Constraint
  readonly notes: readonly Note[]
}

/** Grammars, each made once for the same tools and the same wishes. */
export interface Grammars {
  /** `opens`: the prompt ends inside a thought. */
  make(
    request: Asked & Pick<Request, 'maxTokens'>,
    dialect: Dialect,
    kind: GrammarKind,
    opens: boolean,
  ): Promise<MadeGrammar>
}

const maxGrammars = 200
const maxCharacters = 32_000_000

/** What closes a thought that a template opened. */
const closer = '</think>'
const longestThought = 8_000

export function createGrammars(): Grammars {
  const made = createMemory<MadeGrammar>({
    entries: maxGrammars,
    characters: maxCharacters,
    sizeOf: ({ constraint }, key) => key.length + JSON.stringify(constraint).length,
  })
  return {
    async make(request, dialect, kind, opens) {
      const options = { ...optionsFor(request, dialect), ...(opens && thoughtFor(request)) }
      const key = keyOf(options, kind)
      return made.recall(key, () => {
        const grammar = constrain(options)
        return { constraint: toConstraint(kind, options, grammar), notes: notesOf(grammar) }
      })
    },
  }
}

/** Who has to call has to come to it: however short its tokens are, a thought leaves half of them. */
function thoughtFor({ toolChoice, maxTokens = 2 * longestThought }: Asked & Pick<Request, 'maxTokens'>) {
  const most = Math.min(longestThought, Math.floor(maxTokens / 2))
  return { thought: closer, thoughtLimit: isForced(toolChoice) ? most : Number.POSITIVE_INFINITY }
}

/** All that a grammar depends on. */
function keyOf({ dialect, others: _, tools, thoughtLimit, ...options }: ConstrainOptions, kind: GrammarKind): string {
  const offered = tools.map((tool) => [tool.kind, tool.name, tool.parameters])
  return JSON.stringify([kind, dialect.name, String(thoughtLimit), options, offered])
}

function toConstraint(kind: GrammarKind, options: ConstrainOptions, made: Constrained): Constraint {
  switch (kind) {
    case 'gbnf':
      return { kind, grammar: printGbnf(made.tree) }
    case 'ebnf':
      return { kind, grammar: printEbnf(made.tree) }
    case 'structural-tag':
      return { kind, tag: toStructuralTag(options, made) }
    default:
      return kind satisfies never
  }
}

function notesOf({ level }: Constrained): readonly Note[] {
  return level === 0 ? [] : [{ type: 'note', kind: 'grammar_coarse', detail: `level ${level}` }]
}
