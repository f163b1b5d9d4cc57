import type { NoteKind } from '../../protocol/note.ts'
import type { TaggedMarks } from '../forms/tagged/marks.ts'
import { readElements } from '../forms/tagged/tagged.ts'
import { openerIn } from '../forms/tagged/value.ts'
import { literalsOf, printTemplate } from '../marks/template.ts'
import { ignore } from '../text/pen.ts'
import { runWhole } from '../text/running.ts'
import type { Proposal, Propose } from './salvage.ts'

/** Where an argument of the tool begins, however its tag is spelt. */
interface Anchor {
  readonly key: string
  readonly at: number
  readonly end: number
  /** Its tags as the dialect writes them. */
  readonly open: string
  readonly close: string
  readonly isExact: boolean
  readonly isEmpty: boolean
}

/** How far one reading has come. */
interface State {
  readonly at: number
  readonly keys: readonly string[]
  /** Keys that values speak of: each must be an argument as well. */
  readonly mentioned: readonly string[]
  /** A closer in a value may be where it ends, and its rest an argument that lost its opening tag. */
  readonly mayEndEarly: boolean
  /** The text so far, put right. */
  readonly text: string
  readonly notes: Proposal['notes']
}

const mostSteps = 4096
const mostAnchors = 256
const mostClosers = 64
const never = Number.POSITIVE_INFINITY

/**
 * All readings of arguments written as elements, each of which may lack its closer before the next one or before the call's,
 * have another tag's closer in its place, have an odd opening tag, or have its own closer in its text. A value never takes in
 * another argument.
 */
export function proposeTagged(marks: TaggedMarks, wrapper: string | undefined): Propose {
  const { closers, dialect } = marks
  const own = closers.slice(0, literalsOf(dialect.grammar.call.close[0] ?? '').length)
  const lastCloser = own.at(-1) ?? ''
  const keyedTag = new RegExp(
    marks.spellings.flatMap(({ open, key }) => (key === undefined ? [keyed(open)] : [])).join('|'),
  )
  const closerRun = new RegExp(`(?:(?:${closers.map(loosely).join('|')})\\s*)+`, 'g')
  return (raw, isOver) => {
    const anchors = anchorsIn(raw, marks)
    const [callEnd] = [...raw.matchAll(closerRun)].slice(-1)
    let steps = 0

    /** The call ends here: at the last of its closers, or where nothing follows but closers of other things, or words. */
    function isEnd(at: number): boolean {
      if (at === callEnd?.index) return true
      const rest = raw.slice(at)
      if (callEnd !== undefined) return false
      if (/^(?:<\/[\w.:-]*>?\s*)*$/.test(rest)) return isOver
      return !/^\s*<|<\//.test(rest) && !anchors.some((anchor) => anchor.at >= at)
    }

    /** Whether a value without its own closer may end at the call's: nothing tells that this one is in its text, too. */
    function endsValue(text: string): boolean {
      if (callEnd === undefined) return true
      const [run] = callEnd
      const rest = raw.slice(callEnd.index + run.length)
      const isApart =
        (rest === '' && (isOver || text !== '')) ||
        rest.startsWith('<|') ||
        (/\n\s*$/.test(run) && run.includes(lastCloser))
      return (
        isApart && own.every((closer) => !text.includes(closer)) && closers.every((closer) => count(run, closer) < 2)
      )
    }

    function next(at: number, keys: readonly string[]): readonly Anchor[] {
      return anchors.filter((anchor) => anchor.at === at && !keys.includes(anchor.key))
    }

    /** Where the value of an argument may end. */
    function after(state: State, anchor: Anchor): readonly State[] {
      const { end: from, open, close } = anchor
      const keys = [...state.keys, anchor.key]
      const before = state.text + raw.slice(state.at, anchor.at) + (anchor.isExact ? raw.slice(anchor.at, from) : open)
      const notes = [...state.notes, ...(anchor.isExact ? [] : [['arguments_repaired', 'odd tag'] as const])]
      const ended = (text: string, at: number, kind?: NoteKind, detail = close): State => ({
        at,
        keys,
        mentioned: state.mentioned,
        mayEndEarly: state.mayEndEarly,
        text: before + text + close,
        notes: kind === undefined ? notes : [...notes, [kind, detail]],
      })
      if (anchor.isEmpty) return [{ ...state, at: from, keys, text: before, notes }]
      const states: State[] = []
      const others = anchors.filter(({ at, key }) => at >= from && !keys.includes(key))
      const ends = [...raw.slice(from).matchAll(new RegExp(loosely(close), 'g'))].slice(0, mostClosers)
      for (const { 0: literal, index } of ends) {
        if (++steps > mostSteps) return []
        const [text, at] = [raw.slice(from, from + index), from + index + literal.length]
        const here = skip(raw, at)
        const second = raw.startsWith(close, at) ? at + close.length : at
        const isNext = [here, skip(raw, second)].some((place) => isEnd(place) || next(place, keys).length > 0)
        if (!isNext) continue
        const mentioned = others.filter((other) => other.at < from + index).map(({ key }) => key)
        const opener = openerIn({ open, close, marks })
        const surplus = count(text, opener) - count(text, close)
        const isBalanced = surplus === 0
        // An opening tag that nothing closes may be this one again; behind a closer there may be another argument.
        if (
          (surplus > mentioned.length && keyedTag.test(text)) ||
          (opener !== '' && text.trimStart().startsWith(opener))
        )
          continue
        const mayEndEarly = state.mayEndEarly || endsEarly(text, opener, close)
        if (isBalanced && mentioned.length === 0) states.push({ ...ended(text, second), mayEndEarly })
        else if (!text.includes(']]>')) {
          const quoted = ended(inCdata(text, marks), second, 'closer_quoted')
          states.push({ ...quoted, mayEndEarly, mentioned: [...state.mentioned, ...mentioned] })
        }
      }
      // No closer of its own before the next argument, or the end of the call.
      const end = callEnd !== undefined && callEnd.index >= from ? callEnd.index : never
      const stop = Math.min(others[0]?.at ?? never, end)
      if (stop === never || (ends[0] !== undefined && from + ends[0].index < stop)) return states
      const text = raw.slice(from, stop)
      // A part of a closer is there.
      if (stop === end && !endsValue(text)) return states
      if (text.trimEnd().endsWith(close.slice(-2)) || /<[/|｜][^<>]*$|<[\w:][^<>]*>\s*$/.test(text)) return states
      const [tail = '', name = ''] = /<\/\s*([\w.:-]+)[^<>]*>\s*$/.exec(text) ?? []
      const isOpened = name !== '' && new RegExp(`<${literally(name)}\\b`).test(text)
      if (tail === '' || isOpened) return [...states, ended(text.trimEnd(), stop, 'closer_missing')]
      const isWrong = isRelated(name, marks, close)
      return isWrong ? [...states, ended(text.slice(0, -tail.length), stop, 'closer_wrong', `</${name}>`)] : states
    }

    let open: readonly State[] = [{ at: 0, keys: [], mentioned: [], mayEndEarly: false, text: '', notes: [] }]
    const done: State[] = []
    while (open.length > 0 && steps < mostSteps) {
      open = open.flatMap((state) => {
        if (++steps > mostSteps) return []
        const at = skip(raw, state.at)
        const mustHave = state.mayEndEarly ? [...state.mentioned, ...marks.node.properties] : state.mentioned
        const isWhole = state.keys.length > 0 && mustHave.every((key) => state.keys.includes(key))
        if (isWhole && isEnd(at)) done.push({ ...state, at })
        if (wrapper !== undefined && raw.startsWith(wrapper, at)) return [{ ...state, at: at + wrapper.length }]
        return next(at, state.keys).flatMap((anchor) => after(state, anchor))
      })
    }
    if (steps >= mostSteps) return []
    return done.flatMap((state): readonly Proposal[] => {
      const kinds = new Set(state.notes.map(([kind]) => kind))
      // A closer that is text in one value and missing in another may as well be the other's.
      const isDoubtful = kinds.has('closer_quoted') && (kinds.has('closer_missing') || kinds.has('closer_wrong'))
      const json = isDoubtful ? undefined : readAgain(state, marks)
      if (json === undefined) return []
      // Closers that are misspelt are taken here.
      const isOdd = state.at === callEnd?.index && !closers.some((closer) => raw.startsWith(closer, state.at))
      return [{ json, end: isOdd ? state.at + callEnd[0].length : state.at, notes: state.notes }]
    })
  }
}

/** What the strict reader makes of a text that was put right. */
function readAgain({ text, keys }: State, marks: TaggedMarks): string | undefined {
  let json = ''
  const pen = { write: (piece: string) => void (json += piece), note: ignore }
  const isRead = runWhole(text + (marks.closers[0] ?? ''), function* (source) {
    const whole = { ...marks, missing: new Set<string>() }
    const outcome = yield* readElements({ source, pen, marks: whole, wrapper: undefined, names: new Set() })
    return outcome === 'complete' && source.position === text.length
  })
  return isRead && Object.keys(JSON.parse(`${json}}`) as object).length === keys.length ? json : undefined
}

/** Every place where an argument that the tool declares may begin. */
function anchorsIn(raw: string, { spellings, node, spec }: TaggedMarks): readonly Anchor[] {
  const keys = node.properties.map(literally).join('|') || '[\\w.-]{1,64}'
  const found = new Map<string, Anchor>()
  for (const { open, close, key: only } of spellings) {
    const [before = '', after = ''] = open.split(only ?? '{key}')
    const pattern = new RegExp(
      `${loosen(before)}(${only === undefined ? keys : literally(only)})${loosenEnd(after)}`,
      'g',
    )
    const exact = new RegExp(`^${[...open.split(/(\{\w+\})/)].map((part) => slotOr(part)).join('')}$`)
    for (const { 0: tag, 1: key = '', index } of raw.matchAll(pattern)) {
      const place = `${index} ${key}`
      if (found.get(place)?.isExact === true) continue
      // `<parameter>room</parameter>` cannot be read but here.
      const own = open.includes(close) ? spec : { open, close }
      found.set(place, {
        key,
        at: index,
        end: index + tag.length,
        open: printTemplate(own.open, { key, string: 'true', type: 'string' }),
        close: printTemplate(own.close, { key }),
        isExact: own.open === open && exact.test(tag),
        isEmpty: tag.endsWith('/>'),
      })
    }
  }
  return [...found.values()].sort((a, b) => a.at - b.at).slice(0, mostAnchors)
}

/** The pattern of an argument's opening tag, whatever its key. */
function keyed(open: string): string {
  const [before = '', after = ''] = open.split('{key}')
  return `${loosen(before)}[\\w.-]+${loosenEnd(after)}`
}

/** An opening tag up to its key: signs and blanks between its words in any number, and `name` or not. */
function loosen(before: string): string {
  const words = before.split(/[\s="':]+/).filter((word, index) => index === 0 || !/^(?:name|key|)$/.test(word))
  const seam = /[\s="':]$/.test(before) ? `[\\s=:"']+(?:(?:name|key)[\\s=:"']*)?` : '\\s*'
  return words.map(literally).join(`[\\s=:"']*`) + seam
}

function loosenEnd(after: string): string {
  const parts = after.split(/\{\w+\}/).map((part) =>
    part
      .split(/["'\s]+|(?<=>)(?=<)/)
      .map(literally)
      .join(`["'\\s]*`),
  )
  return `["'\\s]*${parts.join('[^<>]*?').replace(/>$/, '\\s*/?>')}`
}

/** The pattern of a part of a template: a slot, or what must stand there. */
function slotOr(part: string): string {
  if (/^\{\w+\}$/.test(part)) return `[^<>"']*`
  return part
    .split(/\s+|(?<=>)(?=<)/)
    .map((word) => literally(word).replaceAll('"', `["']?`))
    .join('\\s*')
}

/** A closer with blanks in its tag, with what belongs to its opener, or without its end before the next tag. */
function loosely(close: string): string {
  const [, before = '', name] = /^(.*)<\/([\w.:-]+)>$/.exec(close) ?? []
  if (name === undefined) return literally(close)
  return `${literally(before)}<\\s*/\\s*${literally(name)}(?:[\\s=][^<>]*)?(?:>|(?=\\s*(?:<|$)))`
}

/** Whether a closing tag is one of the call's, written instead of another. */
function isRelated(name: string, { node, spec }: TaggedMarks, close: string): boolean {
  const own = /[\w.:-]+(?=>$)/.exec(close)?.[0] ?? ''
  const words = [...node.properties, 'parameter', 'param', 'arg', 'argument', 'value', 'arg_key', 'arg_value']
  const isAlike = name.length > 2 && own.length > 2 && (own.startsWith(name) || name.startsWith(own))
  return words.includes(name) || spec.open.includes(`<${name}`) || isAlike
}

/** Whether a closer in this text, that closes nothing in it, may be the value's own: it stands in no sentence or quotation. */
function endsEarly(text: string, opener: string, close: string): boolean {
  let depth = 0
  return text.split(close).some((piece, i, pieces) => {
    const isWord = /[^\s>][ \t]$/.test(pieces[i - 1] ?? '') && !/^<[^/]/.test(piece)
    const isLone = i > 0 && depth === 0 && !isWord
    depth = Math.max(0, i > 0 ? depth - 1 : 0) + count(piece, opener)
    const tag = /^<\/([\w.:-]+)>/.exec(piece)?.[1]
    const isOther = tag !== undefined && text.includes(`<${tag}`)
    return isLone && !isOther && !/^(?:["'`.,;:)\\]|[ \t]+[^\s<])/.test(piece)
  })
}

function inCdata(text: string, { spec }: TaggedMarks): string {
  const inside = spec.layout === 'inline' ? text : text.replace(/^\r?\n|\r?\n$/g, '')
  return `<![CDATA[${inside}]]>`
}

function count(text: string, literal: string): number {
  return literal === '' ? 0 : text.split(literal).length - 1
}

function skip(text: string, from: number): number {
  let at = from
  while (/\s/.test(text.charAt(at))) at++
  return at
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
