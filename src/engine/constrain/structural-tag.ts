import { type Dialect, hasFaintMarks, hasNameMarks } from '../../dialects/dialect.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { isForced, type Tool } from '../../protocol/tool.ts'
import { openerOf } from '../marks/template.ts'
import { frameOf, shellOf } from './calls/calls.ts'
import { type Constrained, type ConstrainOptions, constrainSteps, isSingle, toolsOf } from './constrain.ts'
import type { Widening } from './detail.ts'
import { printEbnf } from './grammar/print.ts'
import { tidy } from './grammar/tidy.ts'
import { literal, type Rule, sequence } from './grammar/tree.ts'

/** A grammar as a tag, and what it does not say. */
export interface TaggedGrammar extends Pick<Constrained, 'widened' | 'level'> {
  readonly tag: JsonObject
}

interface Tags extends Pick<Constrained, 'widened' | 'level'> {
  readonly tags: readonly Tag[]
}

/** A tag: what it begins with, what may stand in it, what it ends with. */
interface Tag {
  readonly begin: string
  readonly content: JsonObject
  readonly end: string
}

/**
 * The same as xgrammar's structural tag. Where the model may speak as well, words pass freely, and from a call's opener on it
 * is held to a valid call.
 */
export function* structuralTagSteps(options: ConstrainOptions): Generator<void, TaggedGrammar> {
  const { choice: chosen, thought, format } = options
  const tools = toolsOf(options)
  const isFree = !isForced(chosen) && chosen?.mode !== 'none' && format === undefined
  if (!isFree || tools.length === 0 || hasOrdinaryMarks(options.dialect)) {
    const { tree, widened, level } = yield* constrainSteps(isFree ? { ...options, others: [] } : options)
    yield
    return { tag: tagged(grammarContent(tree)), widened, level }
  }
  const { tags, widened, level } = yield* tagsOf(options, tools)
  const calls = {
    type: 'triggered_tags',
    triggers: triggersOf(options, tags),
    tags: tags.map((tag) => ({ type: 'tag', ...tag })),
    at_least_one: false,
    stop_after_first: isSingle(options),
  }
  if (thought === undefined) return { tag: tagged(calls), widened, level }
  const thinking = { type: 'tag', begin: '', content: { type: 'any_text' }, end: thought }
  return { tag: tagged({ type: 'sequence', elements: [thinking, calls] }), widened, level }
}

/** Whether its marks are ordinary text up to a tool's name: a tag would make a call of every bracket. */
function hasOrdinaryMarks(dialect: Dialect): boolean {
  const { grammar } = dialect
  return hasNameMarks(grammar) || (hasFaintMarks(grammar) && !frameOf(dialect).open.startsWith('<|'))
}

function tagged(format: JsonObject): JsonObject {
  return { type: 'structural_tag', format }
}

function grammarContent(tree: Constrained['tree']): JsonObject {
  return { type: 'grammar', grammar: printEbnf(tree) }
}

/** Each is compiled by itself, and all of them are followed at the same time. */
const mostTags = 12

/** One tag for each tool, or where there are many or something stands around all calls, one for all of them. */
function* tagsOf(options: ConstrainOptions, tools: readonly Tool[]): Generator<void, Tags> {
  const { dialect } = options
  const frame = frameOf(dialect)
  const shells = tools.map((tool) => ({ tool, shell: shellOf(dialect, tool.name) }))
  const isPlain = shells.every(({ shell }) => shell.before.kind === 'literal' && shell.after.kind === 'literal')
  if (frame.open === '' && isPlain && tools.length <= mostTags) {
    const tags: Tag[] = []
    const widened: Widening[] = []
    let level = 0
    for (const { tool, shell } of shells) {
      const made = yield* argumentsOf(options, tool)
      tags.push({ begin: textOf(shell.before), content: grammarContent(made.tree), end: textOf(shell.after) })
      widened.push(...made.widened)
      level = Math.max(level, made.level)
    }
    return { tags, widened, level }
  }
  const begin = frame.open === '' ? commonBeginning(shells.map(({ shell }) => firstText(shell.before))) : frame.open
  const { tree, widened, level } = yield* constrainSteps({
    ...options,
    thought: undefined,
    choice: { mode: 'allowed', required: true, names: tools.map(({ name }) => name) },
  })
  yield
  const rest = cutBeginning(tree, begin)
  yield
  return { tags: [{ begin, content: grammarContent(rest), end: '' }], widened, level }
}

/** The arguments of one tool alone. */
function* argumentsOf(options: ConstrainOptions, tool: Tool): Generator<void, Constrained> {
  const made = yield* constrainSteps({
    ...options,
    tools: [tool],
    choice: { mode: 'required' },
    parallel: false,
    thought: undefined,
  })
  const { before, after } = shellOf(options.dialect, tool.name)
  return { ...made, tree: cutEnd(cutBeginning(made.tree, textOf(before)), textOf(after)) }
}

/** The grammar of what stands after its beginning. */
function cutBeginning(tree: Constrained['tree'], text: string): Constrained['tree'] {
  return tidy({ ...tree, root: withoutStart(tree.root, text, tree.rules) })
}

function withoutStart(rule: Rule, text: string, rules: ReadonlyMap<string, Rule>): Rule {
  if (text === '') return rule
  if (rule.kind === 'literal') return literal(rule.text.slice(text.length))
  if (rule.kind === 'reference') return withoutStart(rules.get(rule.name) ?? rule, text, rules)
  if (rule.kind === 'choice') return { ...rule, options: rule.options.map((one) => withoutStart(one, text, rules)) }
  if (rule.kind !== 'sequence') return rule
  const [first, ...rest] = rule.parts
  if (first === undefined) return rule
  if (first.kind === 'literal' && first.text.length < text.length) {
    return withoutStart(sequence(...rest), text.slice(first.text.length), rules)
  }
  return sequence(withoutStart(first, text, rules), ...rest)
}

function cutEnd(tree: Constrained['tree'], text: string): Constrained['tree'] {
  return tidy({ ...tree, root: withoutEnd(tree.root, text, tree.rules) })
}

function withoutEnd(rule: Rule, text: string, rules: ReadonlyMap<string, Rule>): Rule {
  if (text === '') return rule
  if (rule.kind === 'literal') return literal(rule.text.slice(0, rule.text.length - text.length))
  if (rule.kind === 'reference') return withoutEnd(rules.get(rule.name) ?? rule, text, rules)
  const last = rule.kind === 'sequence' ? rule.parts.at(-1) : undefined
  if (rule.kind !== 'sequence' || last === undefined) return rule
  return sequence(...rule.parts.slice(0, -1), withoutEnd(last, text, rules))
}

/** What the model says before it is held to anything. */
function triggersOf({ dialect }: ConstrainOptions, tags: readonly Tag[]): readonly string[] {
  const begins = tags.map(({ begin }) => begin)
  const opener = openerOf(begins[0] ?? '')
  const { section, call } = dialect.grammar
  const mark = openerOf((section === undefined ? undefined : section.open[0]) ?? call.open[0] ?? '')
  // A word alone is a word.
  const isMark = mark.length > 1 && opener.startsWith(mark) && /\W/.test(mark)
  const trigger = isMark ? mark : commonBeginning(begins)
  if (trigger.length > 1 && begins.every((begin) => begin.startsWith(trigger))) return [trigger]
  return begins
}

function commonBeginning(texts: readonly string[]): string {
  return texts.reduce((left, right) => {
    let length = 0
    while (length < left.length && left[length] === right[length]) length++
    return left.slice(0, length)
  })
}

function textOf(rule: Rule): string {
  return rule.kind === 'literal' ? rule.text : ''
}

function firstText(rule: Rule): string {
  return rule.kind === 'sequence' ? textOf(rule.parts[0] ?? rule) : textOf(rule)
}
