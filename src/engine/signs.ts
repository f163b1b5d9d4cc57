import type { Dialect, Frame } from '../dialects/dialect.ts'
import { controlTokens, type Entry, entriesOf } from './entries.ts'
import { compileMarks, type Marks } from './marks.ts'
import { literalsOf, printTemplate } from './template.ts'

/** What a mark in running text means. */
export type Sign =
  | { readonly kind: 'call'; readonly entry: Entry }
  | { readonly kind: 'thought'; readonly close: readonly string[] }
  | { readonly kind: 'header'; readonly dialect: Dialect; readonly frame: Frame }
  /** A closer, or a mark without meaning: left out of the text where it belongs to nothing. */
  | { readonly kind: 'stray'; readonly always: boolean; readonly until?: string }

export interface Signs {
  readonly marks: Marks<Sign>
  /** Of these the openers of calls, save mere names: what may end a thought, or stand in a fence. */
  readonly calls: Marks<Sign>
  readonly thoughtCloses: readonly string[]
}

/** Marks of thoughts that are understood in every dialect. */
export const think = { open: ['<think>', '<thinking>'], close: ['</think>', '</thinking>'] }
const cache = new WeakMap<object, { readonly others: readonly Dialect[]; readonly byNames: Map<string, Signs> }>()
const maxCached = 64

/**
 * The marks to look for: those of the dialect that was taught, first, and the unmistakable ones of all others. Compiled
 * once per dialect and set of names.
 */
export function signsFor(
  taught: Dialect | undefined,
  others: readonly Dialect[],
  names: ReadonlySet<string>,
  anyName = false,
): Signs {
  const owner = taught ?? others
  let known = cache.get(owner)
  if (known?.others !== others) {
    known = { others, byNames: new Map() }
    cache.set(owner, known)
  }
  const key = taught?.grammar.nameIsMark === true ? [String(anyName), ...names].join('\n') : ''
  let signs = known.byNames.get(key)
  if (signs === undefined) {
    if (known.byNames.size >= maxCached) known.byNames.clear()
    signs = compileSigns(taught, others, names, anyName)
    known.byNames.set(key, signs)
  }
  return signs
}

function compileSigns(
  taught: Dialect | undefined,
  others: readonly Dialect[],
  names: ReadonlySet<string>,
  anyName: boolean,
): Signs {
  const foreign = others.filter((dialect) => dialect !== taught && dialect.grammar.nameIsMark !== true)
  const armed = taught === undefined ? foreign : [taught, ...foreign]
  const calls = armed
    .filter(({ grammar }) => grammar.frame === undefined)
    .flatMap((dialect) =>
      entriesOf(dialect, names, anyName)
        .filter(([literal, entry]) => dialect === taught || (!entry.faint && isUnmistakable(literal)))
        .map(([literal, entry]): readonly [string, Sign] => [literal, { kind: 'call', entry }]),
    )
  const headers = armed.flatMap((dialect): (readonly [string, Sign])[] => {
    const { frame } = dialect.grammar
    return frame === undefined || (dialect !== taught && dialect.grammar.faint === true)
      ? []
      : [...frame.open, ...frame.body].map((literal) => [literal, { kind: 'header', dialect, frame }])
  })
  const wrappers = [
    think,
    ...armed.flatMap(
      (dialect) => dialect.reasoning?.filter(({ open }) => dialect === taught || open.every(isUnmistakable)) ?? [],
    ),
  ]
  const thoughts = new Map<string, Set<string>>()
  for (const { open, close } of wrappers) {
    for (const literal of open) thoughts.set(literal, new Set([...(thoughts.get(literal) ?? []), ...close]))
  }
  const thoughtCloses = [...new Set(wrappers.flatMap(({ close }) => close))]
  const strays = new Map<string, boolean>()
  for (const dialect of armed) {
    if (dialect.grammar.faint === true) continue
    for (const close of [...(dialect.grammar.section?.close ?? []), ...dialect.grammar.call.close]) {
      const closes =
        dialect.grammar.nameIsMark === true ? [...names].map((name) => printTemplate(close, { name })) : [close]
      for (const literal of closes.flatMap(literalsOf))
        if (/[^`]{3}/.test(literal)) strays.set(literal, strays.get(literal) ?? false)
    }
    for (const literal of [...(dialect.dropped ?? []), ...(dialect.grammar.frame?.close ?? [])])
      strays.set(literal, true)
  }
  for (const literal of [...thoughtCloses, ...controlTokens]) strays.set(literal, true)
  return {
    marks: compileMarks<Sign>(
      [
        ...calls,
        ...headers,
        ...[...thoughts].map(([literal, close]) => [literal, { kind: 'thought', close: [...close] }] as const),
        ...[...strays].map(([mark, always]) => toStray(mark, always)),
      ],
      '`',
    ),
    calls: compileMarks(calls.filter(([, sign]) => sign.kind !== 'call' || sign.entry.untagged !== true)),
    thoughtCloses,
  }
}

/** `</co:…>`: a mark whose middle varies. */
function toStray(mark: string, always: boolean): readonly [string, Sign] {
  const [literal = '', until] = mark.split('…')
  return [literal, { kind: 'stray', always, ...(until === undefined ? {} : { until }) }]
}

/** A mark that begins like a word is one only where it was taught. Checking every such word would also slow prose down. */
function isUnmistakable(literal: string): boolean {
  return !/^\p{L}/u.test(literal)
}
