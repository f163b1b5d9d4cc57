import type { Dialect } from '../../../dialects/dialect.ts'
import { type Constrained, type ConstrainOptions, constrainSteps } from '../../../engine/constrain/constrain.ts'
import { printEbnf, printGbnf } from '../../../engine/constrain/grammar/print.ts'
import { structuralTagSteps } from '../../../engine/constrain/structural-tag.ts'
import { pause } from '../../../pause.ts'
import type { Note } from '../../../protocol/event.ts'
import { createMemory } from '../../../protocol/memory/memory.ts'
import type { Request } from '../../../protocol/request.ts'
import { isForced } from '../../../protocol/tool.ts'
import type { Constraint } from '../../../upstreams/upstream.ts'
import { type Asked, optionsFor } from './grammar.ts'

/** The notations a service may take. A schema of the whole answer is no grammar of a dialect. */
export type GrammarKind = Exclude<Constraint['kind'], 'json-schema'>

export interface MadeGrammar {
  readonly constraint: Constraint
  readonly notes: readonly Note[]
}

type GrammarRequest = Asked & Pick<Request, 'maxTokens'>

/** Grammars, each made once for the same tools and the same directives, a little at a time. */
export interface Grammars {
  /** `opens`: the prompt ends inside a thought. */
  make(request: GrammarRequest, dialect: Dialect, kind: GrammarKind, opens: boolean): Promise<MadeGrammar>
}

const maxGrammars = 200
const maxCharacters = 32_000_000

/** What closes a thought that a template opened. */
const closer = '</think>'
const longestThought = 8_000

/** The longest the event loop is kept busy at a time. */
const sliceMs = 8

export function createGrammars(now: () => number = Date.now): Grammars {
  const known = createMemory<MadeGrammar>({
    entries: maxGrammars,
    characters: maxCharacters,
    sizeOf: ({ constraint }, key) => key.length + JSON.stringify(constraint).length,
  })
  const underWay = new Map<string, Promise<MadeGrammar>>()

  async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
    for (let until = now() + sliceMs; ; ) {
      const { done, value } = steps.next()
      if (done === true) return value
      if (now() < until) continue
      await pause()
      until = now() + sliceMs
    }
  }

  return {
    async make(request, dialect, kind, opens) {
      const options = { ...optionsFor(request, dialect), ...(opens && thoughtFor(request)) }
      const key = keyOf(options, kind)
      const found = known.get(key)
      if (found !== undefined) return found
      const making = underWay.get(key) ?? inSlices(makers[kind](options))
      underWay.set(key, making)
      try {
        const made = await making
        known.set(key, made)
        return made
      } finally {
        underWay.delete(key)
      }
    },
  }
}

/** A required call needs room: however few tokens there are, a thought leaves half of them. */
function thoughtFor({ toolChoice, maxTokens = 2 * longestThought }: GrammarRequest) {
  const most = Math.min(longestThought, Math.floor(maxTokens / 2))
  return { thought: closer, thoughtLimit: isForced(toolChoice) ? most : Number.POSITIVE_INFINITY }
}

/** All that a grammar depends on. */
function keyOf({ dialect, others: _, tools, thoughtLimit, ...options }: ConstrainOptions, kind: GrammarKind): string {
  const offered = tools.map((tool) => [tool.kind, tool.name, tool.parameters, tool.format])
  return JSON.stringify([kind, dialect.name, String(thoughtLimit), options, offered])
}

const makers: Readonly<Record<GrammarKind, (options: ConstrainOptions) => Generator<void, MadeGrammar>>> = {
  *gbnf(options) {
    const { tree, ...made } = yield* constrainSteps(options)
    return { constraint: { kind: 'gbnf', grammar: printGbnf(tree) }, notes: notesOf(made) }
  },
  *ebnf(options) {
    const { tree, ...made } = yield* constrainSteps(options)
    return { constraint: { kind: 'ebnf', grammar: printEbnf(tree) }, notes: notesOf(made) }
  },
  *'structural-tag'(options) {
    const { tag, ...made } = yield* structuralTagSteps(options)
    return { constraint: { kind: 'structural-tag', tag }, notes: notesOf(made) }
  },
}

/** From the level on where arguments are no longer told exactly. */
const coarse = 2

/** What a client may count on, and the grammar does not hold the model to. */
function notesOf({ level, widened }: Pick<Constrained, 'level' | 'widened'>): readonly Note[] {
  const texts = widened.filter(({ keyword }) => keyword === 'grammar').map(({ tool }) => `text of ${tool}`)
  const details = [...(level < coarse ? [] : [`level ${level}`]), ...texts]
  return details.map((detail) => ({ type: 'note', kind: 'grammar_coarse', detail }))
}
