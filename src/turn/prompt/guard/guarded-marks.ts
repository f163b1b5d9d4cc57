import { type Dialect, hasFaintMarks } from '../../../dialects/dialect.ts'
import { dialects } from '../../../dialects/registry.ts'
import { compileMarks, hasMarkAt, type Marks } from '../../../engine/marks/marks.ts'
import { spellingsOf } from '../../../engine/marks/names.ts'
import { type Sign, signsFor } from '../../../engine/marks/signs.ts'
import { literalsOf, printTemplate } from '../../../engine/marks/template.ts'
import { asFunction } from '../../../protocol/custom.ts'
import type { Memory } from '../../../protocol/memory/memory.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { compileParameters } from '../../../schema/compile.ts'
import { joiner } from '../../answer/text/restore.ts'

/** The marks a guard breaks, in the tables they are found by. */
export interface GuardedMarks {
  /** Finds the characters that may begin one, and joiners, from its `lastIndex` on. */
  readonly starts: RegExp
  /** Whether one begins at this place. */
  standAt(text: string, at: number): boolean
}

/** Shorter ones are ordinary text: `{`, `[`, `<`. */
const shortestMark = 3

/** The marks of a turn that teaches `dialect`. `known`: those of each dialect, by its name. */
export function guardedMarksFor(dialect: Dialect, tools: readonly Tool[], known?: Memory<GuardedMarks>): GuardedMarks {
  const compile = () => compileOwn(dialect)
  const own = known?.recall(dialect.name, compile) ?? compile()
  const named = compileLiterals(namedMarksOf(tools, hasNamedMarks(dialect)))
  return {
    starts: own.starts,
    standAt: (text, at) => own.standAt(text, at) || hasMarkAt(named, text, at, always),
  }
}

/** The reader's own table, so that nothing it acts on in prose is missed, and what it knows only inside of calls. */
function compileOwn(dialect: Dialect): GuardedMarks {
  const { marks } = signsFor(dialect, dialects, new Set())
  const literals = innerMarksOf(dialect)
  const inner = compileLiterals(literals)
  const codes = new Set([...literals, '<', joiner].map((literal) => literal.charCodeAt(0)))
  for (let code = 0; code < marks.starts.length; code++) if (marks.starts[code] !== 0) codes.add(code)
  const units = [...codes].map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
  return {
    // To go through a long text by an expression is twice as fast as by hand.
    starts: new RegExp(`[${units.join('')}]`, 'g'),
    standAt: (text, at) => hasMarkAt(marks, text, at, isBroken) || hasMarkAt(inner, text, at, always),
  }
}

function compileLiterals(literals: Iterable<string>): Marks<true> {
  return compileMarks([...literals].map((literal) => [literal, true] as const))
}

const always = () => true

/** Fences and mere names are marks of some dialects, too: breaking every one of them would spoil what users said. */
function isBroken(literal: string, sign: Sign): boolean {
  if (literal.length < shortestMark || literal.startsWith('`')) return false
  return sign.kind !== 'call' || (sign.entry.at !== 'name' && sign.entry.trust !== 'unmarked')
}

/** The marks around arguments, which would end a value that holds them, and those of the taught dialect's results. */
function innerMarksOf(dialect: Dialect): ReadonlySet<string> {
  const literals = dialects
    .filter(({ grammar }) => !hasFaintMarks(grammar))
    .flatMap(argumentTemplates)
    .flatMap(literalsOf)
  const marks = new Set(literals.filter((literal) => literal.length >= shortestMark && /^[^\w\s]/.test(literal)))
  for (const [mark] of dialect.teaching.result.matchAll(resultMark)) marks.add(mark)
  return marks
}

const resultMark = /<[^\s<>{]+>?|\[\/?[A-Z_]+\]/g
const cdata = ['<![CDATA[', ']]>']

function argumentTemplates({ grammar }: Dialect): readonly string[] {
  const spec = grammar.arguments
  switch (spec.as) {
    case 'tagged':
      return [spec, ...(spec.also ?? [])].flatMap(({ open, close }) => [open, close, ...cdata])
    case 'json':
      return spec.cdata === true || spec.xml === true ? cdata : []
    case 'pseudo':
      return [spec.quote]
    default:
      return []
  }
}

/** Whether tags of this dialect are nothing but a tool's name, or a parameter's: `<{name}>`, `<{key}>`. */
function hasNamedMarks({ grammar }: Dialect): boolean {
  const { arguments: spec, call } = grammar
  const templates = spec.as === 'tagged' ? [...call.open, spec.open] : call.open
  return templates.some((template) => printTemplate(template, { name: '', key: '' }).startsWith('<>'))
}

/** A tag named like a tool may be a call in any dialect; one named like a parameter is a mark in some. */
function* namedMarksOf(tools: readonly Tool[], withKeys: boolean): Iterable<string> {
  const functions = withKeys ? tools.map(asFunction) : []
  const keys = new Set(functions.flatMap(({ parameters }) => compileParameters(parameters).properties))
  for (const key of keys) yield* [`<${key}>`, `</${key}>`]
  // The opener may have more in it than the name.
  for (const { name } of tools) for (const spelling of spellingsOf(name)) yield* [`<${spelling}`, `</${spelling}>`]
}
