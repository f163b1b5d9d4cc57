import { type Dialect, type Frame, hasFaintMarks, hasNameMarks } from '../../dialects/dialect.ts'
import { type EntriesOf, type Entry, entriesOf, type Trust } from './entries.ts'
import { compileMarks, type Marks } from './marks.ts'
import { literalsOf, openerOf, printTemplate } from './template.ts'
import { controlTokens, think } from './vocabulary.ts'

/** What a mark in running text means. `isOwn`: the dialect was taught, or is the model's. */
export type Sign =
  | { readonly kind: 'call'; readonly entry: Entry }
  /** Begins at the start of a line; one of a foreign dialect only at the start of the answer. */
  | { readonly kind: 'thought'; readonly close: readonly string[]; readonly isOwn: boolean }
  | Header
  /** A mark without a meaning of its own: dropped next to a call, an own one at the end of the answer or, where it leads, at its start, too. */
  | { readonly kind: 'stray'; readonly isOwn: boolean; readonly isControl: boolean; readonly leads: boolean }
  /** Opens what some dropped mark would close: `<s>`, where `</s>` ends a turn. */
  | { readonly kind: 'partner' }
  /** The end of a thought nobody saw begin. */
  | { readonly kind: 'thought-end' }
  /** Opens an argument: here, outside of all calls, its call could not be read. */
  | { readonly kind: 'argument' }

/** Begins a message whose header says what it is. */
export interface Header {
  readonly kind: 'header'
  readonly dialect: Dialect
  readonly frame: Frame
}

export interface Signs {
  readonly marks: Marks<Sign>
  /** Of these the openers of calls, save mere names: what may end a thought, or stand in a fence. */
  readonly calls: Marks<Sign>
  readonly thoughtCloses: readonly string[]
}

/** The ways into calls that a mark offers, by how sure they are. */
export type Ways = Readonly<Record<Trust, readonly Entry[]>>

const ways = new WeakMap<readonly Sign[], Ways>()

export function waysOf(signs: readonly Sign[]): Ways {
  let known = ways.get(signs)
  if (known === undefined) {
    const entries = signs.flatMap((sign) => (sign.kind === 'call' ? [sign.entry] : []))
    const by = (trust: Trust) => entries.filter((entry) => entry.trust === trust)
    known = { firm: by('firm'), line: by('line'), faint: by('faint'), unmarked: by('unmarked') }
    ways.set(signs, known)
  }
  return known
}

type Marked = readonly [literal: string, sign: Sign]

interface Known {
  readonly others: readonly Dialect[]
  /** What is the same for all names. */
  base: Signs | undefined
  readonly byNames: Map<string, Signs>
}

const cache = new WeakMap<object, Known>()
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
  entries: EntriesOf = entriesOf,
): Signs {
  const owner = taught ?? others
  let known = cache.get(owner)
  if (known?.others !== others) {
    known = { others, base: undefined, byNames: new Map() }
    cache.set(owner, known)
  }
  const key = [String(anyName), ...names].join('\n')
  let signs = known.byNames.get(key)
  if (signs === undefined) {
    if (known.byNames.size >= maxCached) known.byNames.clear()
    const isNamed = taught !== undefined && formsOf(taught).some(({ grammar }) => hasNameMarks(grammar))
    if (!isNamed) known.base ??= compileSigns(taught, others, names, anyName, entries)
    const base = known.base ?? compileSigns(taught, others, names, anyName, entries)
    // Tags named like a tool, in answers where nobody taught them.
    const isTaught = taught !== undefined && hasNameMarks(taught.grammar)
    const named = isTaught ? [] : others.filter(({ grammar }) => hasNameMarks(grammar))
    const tags = named.flatMap((dialect) => callsOf(dialect, false, entries(dialect, names, false)))
    signs = { ...base, marks: compileMarks(tags, '', isAnywhere, base.marks) }
    known.byNames.set(key, signs)
  }
  return signs
}

/** The forms of a dialect, each as one of its own. */
function formsOf(dialect: Dialect): readonly Dialect[] {
  return [dialect, ...(dialect.variants ?? []).map((grammar) => ({ ...dialect, grammar }))]
}

function isAnywhere(sign: Sign): boolean {
  return sign.kind !== 'call' || sign.entry.trust === 'firm'
}

function compileSigns(
  taught: Dialect | undefined,
  others: readonly Dialect[],
  names: ReadonlySet<string>,
  anyName: boolean,
  entries: EntriesOf,
): Signs {
  const foreign = others.filter((dialect) => dialect !== taught)
  const armed = taught === undefined ? foreign : [taught, ...foreign]
  const calls = armed.flatMap((dialect) =>
    formsOf(dialect)
      .filter(({ grammar }) => dialect === taught || !hasNameMarks(grammar))
      .flatMap((form) => callsOf(form, dialect === taught, entries(form, names, dialect === taught && anyName))),
  )
  const wrappers = armed.flatMap((dialect) =>
    (dialect.reasoning ?? [])
      .filter(({ open }) => dialect === taught || open.every(isUnmistakable))
      .map((wrapper) => ({ ...wrapper, isOwn: dialect === taught })),
  )
  const thoughts = [{ ...think, isOwn: true }, ...wrappers].flatMap(({ open, close, isOwn }) =>
    open.map((literal): Marked => [literal, { kind: 'thought', close, isOwn }]),
  )
  const thoughtCloses = [...new Set([...think.close, ...(taught?.reasoning ?? []).flatMap(({ close }) => close)])]
  return {
    marks: compileMarks<Sign>(
      [
        ...calls,
        ...armed.flatMap((dialect) => headersOf(dialect, dialect === taught)),
        ...thoughts,
        ...thoughtCloses.map((literal): Marked => [literal, { kind: 'thought-end' }]),
        ...straysOf(taught, armed, names),
        ...argumentsOf(taught),
      ],
      '`~',
      isAnywhere,
    ),
    calls: compileMarks(
      calls.filter(([, sign]) => sign.kind === 'call' && sign.entry.trust === 'firm' && sign.entry.at !== 'name'),
    ),
    thoughtCloses,
  }
}

/** The openers of a dialect's calls. Of one that was not taught: the firm ones, and the forms models fall back on. */
function callsOf(dialect: Dialect, isTaught: boolean, entries: ReturnType<EntriesOf>): readonly Marked[] {
  const { isFallback, frame } = dialect.grammar
  const isNamed = hasNameMarks(dialect.grammar)
  if (frame !== undefined) return []
  return entries.flatMap(([literal, entry]): Marked[] => {
    const isFirm = entry.trust === 'firm' && !isNamed && isUnmistakable(literal)
    if (isTaught || isFirm) return [[literal, { kind: 'call', entry }]]
    return isFallback === true && entry.at !== 'name' && (entry.at === 'section' || isUnmistakable(literal))
      ? [[literal, { kind: 'call', entry: { ...entry, trust: 'unmarked' } }]]
      : []
  })
}

function headersOf(dialect: Dialect, isTaught: boolean): readonly Marked[] {
  const { frame } = dialect.grammar
  if (frame === undefined || (!isTaught && hasFaintMarks(dialect.grammar))) return []
  return [...frame.open, ...frame.body].map((literal) => [literal, { kind: 'header', dialect, frame }])
}

function straysOf(
  taught: Dialect | undefined,
  armed: readonly Dialect[],
  names: ReadonlySet<string>,
): readonly Marked[] {
  const strays = new Map<string, boolean>(controlTokens.map((literal) => [literal, false]))
  for (const dialect of armed) {
    const { grammar, dropped = [] } = dialect
    if (!hasFaintMarks(grammar) && (!hasNameMarks(grammar) || dialect === taught)) {
      for (const close of [...(grammar.section?.close ?? []), ...grammar.call.close]) {
        const closes = hasNameMarks(grammar) ? [...names].map((name) => printTemplate(close, { name })) : [close]
        for (const literal of closes.flatMap(literalsOf))
          if (/[^`]{3}/.test(literal)) strays.set(literal, strays.get(literal) ?? false)
      }
    }
    for (const literal of [...dropped, ...(grammar.frame?.close ?? [])])
      strays.set(literal, strays.get(literal) === true || dialect === taught)
  }
  const partners = (taught?.dropped ?? []).flatMap((literal) => partnerOf(literal) ?? [])
  return [
    ...[...strays].map(([literal, isOwn]): Marked => {
      const leads = taught?.leading?.includes(literal) === true
      return [literal, { kind: 'stray', isOwn, isControl: controlTokens.includes(literal), leads }]
    }),
    ...partners.map((literal): Marked => [literal, { kind: 'partner' }]),
  ]
}

function argumentsOf(taught: Dialect | undefined): readonly Marked[] {
  const spec = taught?.grammar.arguments
  const opener = spec?.as === 'tagged' ? openerOf(spec.open) : ''
  return opener.length > 1 ? [[opener, { kind: 'argument' }]] : []
}

/** The tag that a closing tag closes. */
export function partnerOf(literal: string): string | undefined {
  return literal.startsWith('</') ? `<${literal.slice(2)}` : undefined
}

/** A mark that begins like a word is one only where it was taught. Checking every such word would also slow prose down. */
function isUnmistakable(literal: string): boolean {
  return !/^\p{L}/u.test(literal)
}
