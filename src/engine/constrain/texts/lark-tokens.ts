/** A word of a grammar in Lark's notation. */
export interface LarkToken {
  readonly kind: 'rule' | 'terminal' | 'string' | 'pattern' | 'number' | 'sign' | 'command' | 'line'
  readonly text: string
  /** Letters behind a text or a pattern. */
  readonly flags: string
}

const words: readonly (readonly [kind: LarkToken['kind'] | 'nothing', word: RegExp])[] = [
  ['nothing', /[ \t\f\r]+|\/\/[^\n]*|#[^\n]*/y],
  ['line', /\n/y],
  ['string', /"((?:[^"\\\n]|\\.)*)"(i?)/y],
  ['pattern', /\/((?!\/)(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([imslux]*)/y],
  ['command', /%([a-z]+)/y],
  ['rule', /[!?]*(_?[a-z][a-z0-9_]*)/y],
  ['terminal', /(_?[A-Z][A-Z0-9_]*)/y],
  ['number', /(-?\d+)/y],
  ['sign', /(->|\.\.|[:|()[\]{}*+?~.,])/y],
]

/** The words of a grammar; undefined where something in it is none. */
export function readLarkTokens(text: string): readonly LarkToken[] | undefined {
  const tokens: LarkToken[] = []
  for (let at = 0; at < text.length; ) {
    let end = at
    for (const [kind, word] of words) {
      word.lastIndex = at
      const found = word.exec(text)
      if (found === null) continue
      end = word.lastIndex
      const [whole, inner = whole, flags = ''] = found
      if (kind !== 'nothing') tokens.push({ kind, text: inner, flags })
      break
    }
    if (end === at) return undefined
    at = end
  }
  return tokens
}
