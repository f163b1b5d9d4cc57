import type { CompiledGrammar, GrammarCompiler, GrammarMatcher } from '@mlc-ai/web-xgrammar'
import { xgrammar } from './xgrammar.ts'

/** Characters and some marks: enough to say anything the tests want said. */
const vocabulary: readonly string[] = [
  '<eos>',
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  ...['\n', '\t', 'é', 'ü', '字', '🙂', '｜', '▁', '✿', '</', '<|', '|>', '": "', 'room', ']]>', '<![CDATA[', '&lt;'],
]

let compiler: Promise<GrammarCompiler> | undefined

async function start(): Promise<GrammarCompiler> {
  const info = await xgrammar.TokenizerInfo.createTokenizerInfo([...vocabulary], 'raw', false, vocabulary.length, [0])
  return await xgrammar.GrammarCompiler.createGrammarCompiler(info, false)
}

/** A grammar as xgrammar understands it. */
export interface Oracle {
  /** Whether the text is whole by the grammar. */
  accepts(text: string): Promise<boolean>
  /** How much of a text the grammar follows. */
  follows(text: string): Promise<number>
  /**
   * What a model says that chooses by chance among what the grammar allows; undefined if it comes to no end. Sooner or later it
   * says a beginning it is given.
   */
  walk(random: () => number, most: number, beginning?: string): Promise<string | undefined>
  dispose(): void
}

export async function compileEbnf(grammar: string): Promise<Oracle> {
  compiler ??= start()
  return oracleOf(await (await compiler).compileGrammar(grammar))
}

export async function compileStructuralTag(tag: object): Promise<Oracle> {
  compiler ??= start()
  return oracleOf(await (await compiler).compileStructuralTag(tag as Record<string, unknown>))
}

export async function compileSchema(schema: object): Promise<Oracle> {
  compiler ??= start()
  return oracleOf(await (await compiler).compileJSONSchema(JSON.stringify(schema)))
}

async function oracleOf(compiled: CompiledGrammar): Promise<Oracle> {
  const { GrammarMatcher } = xgrammar
  async function use<T>(act: (matcher: GrammarMatcher) => Promise<T> | T): Promise<T> {
    const matcher = await GrammarMatcher.createGrammarMatcher(compiled)
    try {
      return await act(matcher)
    } finally {
      matcher.dispose()
    }
  }
  return {
    accepts: (text) => use((matcher) => (text === '' || matcher._acceptString(text)) && matcher.acceptToken(0)),
    follows: (text) =>
      use((matcher) => {
        const chars = [...text]
        const refused = chars.findIndex((char) => !matcher._acceptString(char))
        return refused < 0 ? text.length : chars.slice(0, refused).join('').length
      }),
    walk: (random, most, beginning) =>
      use(async (matcher) => {
        let said = ''
        let hasBegun = beginning === undefined
        for (let step = 0; step < most; step++) {
          if (!hasBegun && random() < 0.2) {
            hasBegun = true
            if (matcher._acceptString(beginning ?? '')) said += beginning ?? ''
          }
          const mask = await matcher.getNextTokenBitmask()
          const allowed = vocabulary.flatMap((_, id) => (((mask[id >> 5] ?? 0) >>> (id & 31)) & 1 ? [id] : []))
          if (allowed.length === 0) return undefined
          // The longer it speaks, the gladder it ends.
          const closers = allowed.filter((id) => '"}])>'.includes(vocabulary[id] ?? ''))
          const isTired = random() < step / most
          const token =
            isTired && allowed.includes(0) ? 0 : pick(isTired && closers.length > 0 ? closers : allowed, random)
          if (!matcher.acceptToken(token)) return undefined
          if (token === 0) return said
          said += vocabulary[token] ?? ''
        }
        return undefined
      }),
    dispose: () => compiled.dispose(),
  }
}

function pick(list: readonly number[], random: () => number): number {
  return list[Math.floor(random() * list.length)] ?? 0
}
