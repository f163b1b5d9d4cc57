import { toStrict } from '../../schema/json-text.ts'
import type { Node } from '../../schema/node.ts'

/** How a form writes an object: JSON, Python's keywords, or JSON with marks of a dialect's own around strings. */
export interface Notation {
  readonly open: string
  readonly close: string
  /** Between a key and its value. */
  readonly colon: string
  /** The first is the usual one. */
  readonly quotes: readonly string[]
  /** Keys stand in quotes; else they are bare. */
  readonly quotesKeys: boolean
  /** Strings may stand without quotes. */
  readonly isBare?: boolean
  /** Members of the object around this one: no string takes one in. */
  readonly around?: readonly string[]
  /** What another call begins with. */
  readonly call: RegExp
  /** Whether the arguments may end here, for what follows. */
  readonly endsAt: (text: string, at: number) => boolean
}

/** A text put right, and what was wrong with it. */
export interface Mended {
  readonly text: string
  /** Where it ends in the text as it was. */
  readonly end: number
  readonly damage: string
}

type Damage = 'comma' | 'colon' | 'quote' | 'unescaped quotes' | 'brackets'

/** How far one reading has come; what it changed is a list, the last change first. */
interface State {
  readonly at: number
  readonly damage: Damage | undefined
  readonly edits: Edit | undefined
}

interface Edit {
  readonly at: number
  readonly length: number
  readonly text: string
  readonly before: Edit | undefined
}

/** An object or a list while it is read: its keys, or how many items it has. */
interface Open {
  readonly state: State
  readonly keys: readonly string[]
  /** A comma was read, or nothing yet. */
  readonly isApart: boolean
}

const mostSteps = 40_000
/** So many characters that are looked through again are one step. */
const charactersPerStep = 32
const mostDepth = 32
const gap = /(?:[\s\u200b]|\/\/[^\n]*|\/\*[^*]*\*\/)*/y
const word = /[\w.+-]+/y
/** What may be the end of one item, or the beginning of the next. */
const items = /["'][^\w"']*["']|[,;]\s*["']|["']\s*[,;]/
const bareWord = /[^\s,:{}[\]"'<>][^,{}[\]"'<>\n]*/y

/**
 * All readings of an object that has damage of one kind: commas, a colon or a quote lost, written twice or instead of each
 * other, quotes in a string that were not escaped, brackets missing. A string never takes in what looks like the next member,
 * and no key comes twice.
 */
export function mend(text: string, root: Node, notation: Notation, isOver = true): readonly Mended[] {
  const { quotes, quotesKeys, colon } = notation
  const [usual = '"'] = quotes
  const quote = `(?:${quotes.map(literally).join('|')})?`
  const keyHere = new RegExp(`(${quote})([\\w.$-]+)(${quote})(\\s*)([:=]*)`, 'y')
  const names = root.properties.map(literally).join('|')
  /** What a member looks like inside a string: a declared one, and any. */
  const own = new RegExp(`["'\`]\\s*(?:${names})\\s*["'\`]|(?<![\\w$-])(?:${names})["'\`]?\\s*${colon}`)
  const member = new RegExp(`[\\w$-]["'\`]?\\s*${colon}\\s*["'\`]`)
  const around = new RegExp(`["'\`]\\s*(?:${(notation.around ?? []).join('|')})["'\`]\\s*:`)
  /** From here on nothing stands but brackets. */
  let tail = text.length
  while (tail > 0 && /[\s}\])]/.test(text.charAt(tail - 1))) tail--
  const any = new RegExp(`["'\`]\\s*,\\s*["'\`]?[\\w$-]+["'\`]?\\s*${colon}|,\\s*["'\`][\\w$-]+["'\`]\\s*${colon}`)
  let steps = 0

  const skip = (at: number): number => {
    gap.lastIndex = at
    gap.test(text)
    return gap.lastIndex
  }
  const isEnd = (at: number): boolean => at >= text.length || notation.endsAt(text, at)

  function edit(state: State, at: number, length: number, insert: string): State {
    return { ...state, edits: { at, length, text: insert, before: state.edits } }
  }

  /** The state with this damage, if that is the only kind; a quote is lost but once. */
  function damaged(state: State, damage: Damage, at: number, length: number, insert: string): readonly State[] {
    const isOther = state.damage !== undefined && (state.damage !== damage || damage === 'quote')
    return isOther ? [] : [{ ...edit(state, at, length, insert), damage }]
  }

  /** Goes on past white space; comments are left out. */
  function pass(state: State): State {
    const at = skip(state.at)
    const between = text.slice(state.at, at)
    const isPlain = /^[ \t\r\n]*$/.test(between)
    return { ...(isPlain ? state : edit(state, state.at, between.length, between.includes('\n') ? '\n' : ' ')), at }
  }

  function value(before: State, node: Node, depth: number, isItem: boolean): readonly State[] {
    const state = pass(before)
    const { at } = state
    if (++steps > mostSteps || depth > mostDepth || at >= text.length) return []
    const sign = text.charAt(at)
    if (sign === '{' || sign === '[') return container({ ...state, at: at + 1 }, node, sign === '[', depth)
    const opener = text.startsWith('"""', at) && usual === '"' ? '"""' : quotes.find((one) => text.startsWith(one, at))
    if (opener !== undefined) return string(state, at, opener, isItem)
    word.lastIndex = at
    const found = word.exec(text)?.[0] ?? ''
    const end = at + found.length
    if (
      found !== '' &&
      toStrict(found) !== undefined &&
      end < text.length &&
      (/[\s,}\])]/.test(text.charAt(end)) || isEnd(end))
    )
      return [{ ...state, at: end }]
    bareWord.lastIndex = at
    const bare = notation.isBare === true ? (bareWord.exec(text)?.[0].trimEnd() ?? '') : ''
    if (bare !== '' && /[,}\]]/.test(text.charAt(skip(at + bare.length)))) return [{ ...state, at: at + bare.length }]
    // The quote before it was lost; a sign there may be in the text or not.
    return isItem || /[,:;=]/.test(sign)
      ? []
      : damaged(state, 'quote', at, 0, usual).flatMap((one) => string(one, at, usual, false, 0))
  }

  /** The ends a string may have whose quote stands at `start`. */
  function string(
    state: State,
    start: number,
    fence: string,
    isItem: boolean,
    length = fence.length,
  ): readonly State[] {
    const ends: State[] = []
    const inner: number[] = []
    const from = start + length
    // Backticks and the like become ordinary quotes; those in the text are escaped then.
    const isOdd = fence === '`' || fence === '"""'
    /** Backslashes escape; between marks of a dialect's own they do not. */
    const isSign = fence.length === 1 || isOdd
    let begun = isOdd ? edit(state, start, length, '"') : state
    const push = (states: readonly State[], at: number): void => {
      for (const one of states) ends.push({ ...one, at })
    }
    for (let at = from; at < text.length; at++) {
      if (++steps > mostSteps) return []
      const sign = text.charAt(at)
      if (sign === '\\' && isSign) {
        at++
        continue
      }
      if (!text.startsWith(fence, at)) {
        const lost = isOdd || isItem || inner.length > 0 ? undefined : lostQuote(at)
        if (lost !== undefined) push(damaged(begun, 'quote', at, lost, fence), at + lost)
        if (isOdd && sign === '"') begun = edit(begun, at, 0, '\\')
        continue
      }
      const after = skip(at + fence.length)
      const isLast = /[,}\])]/.test(text.charAt(after)) || isEnd(after) || isKey(after)
      if (isLast) steps += Math.ceil((at - from) / charactersPerStep) + inner.length
      if (isLast && !swallows(from, at) && !(isItem && items.test(text.slice(from, at)))) {
        // At both ends: written twice, or quotes in it.
        if (inner.length === 2 && inner[0] === from && inner[1] === at - fence.length) return ends
        const escaped = inner.reduce<readonly State[]>(
          (states, place) => states.flatMap((one) => damaged(one, 'unescaped quotes', place, 0, '\\')),
          [isOdd ? edit(begun, at, fence.length, '"') : begun],
        )
        if (inner.length === 0 || fence.length === 1) push(escaped, at + fence.length)
        // Written twice, at either end.
        const [twice = -1] = inner
        if (inner.length === 1 && (twice === from || twice + fence.length === at))
          push(damaged(begun, 'quote', twice, fence.length, ''), at + fence.length)
      }
      // An operator or another string joins it to more, as in code: that looks like quotes in it.
      const isJoined =
        inner.length === 0 && (text.charAt(after) === '+' || /^\s+(?:["']|\|\||\?\?)/.test(text.slice(at + 1, at + 64)))
      if (isJoined && ends.length === 0) return ends
      inner.push(at)
      at += fence.length - 1
    }
    return ends
  }

  /** Whether a string that lost its last quote may end here; how long what stands instead of that is. */
  function lostQuote(at: number): number | undefined {
    const instead = quotes.find((one) => text.startsWith(one, at))?.length ?? 0
    if (instead === 0 && !/[,}\])]/.test(text.charAt(at))) return undefined
    const after = skip(at + instead)
    if (text.charAt(after) === ',') return isKey(skip(after + 1)) ? instead : undefined
    // At the end of the answer it may have been cut off.
    const isClosed = /[}\])]/.test(text.charAt(after)) && (after < tail ? notation.endsAt(text, after) : !isOver)
    return isClosed ? instead : undefined
  }

  function isKey(at: number): boolean {
    keyHere.lastIndex = at
    const [, open = '', name = '', close = '', , sign = ''] = keyHere.exec(text) ?? []
    return root.hasProperty(name) && (sign !== '' || open + close !== '')
  }

  /** Whether a string with quotes in it, from here to there, would take in a member. */
  function swallows(from: number, to: number): boolean {
    const inside = text.slice(from, to).replace(/\\./gs, '  ')
    if (!/["'`]/.test(inside)) return false
    if (notation.call.test(inside)) return true
    if (notation.around !== undefined && around.test(inside)) return true
    if (names === '' ? member.test(inside) : own.test(inside)) return true
    return !/[{[(]/.test(inside) && any.test(inside)
  }

  function container(
    start: State,
    node: Node,
    isList: boolean,
    depth: number,
    close = isList ? ']' : '}',
  ): readonly State[] {
    const done: State[] = []
    let open: readonly Open[] = [{ state: start, keys: [], isApart: true }]
    while (open.length > 0) {
      const next: Open[] = []
      for (const { state: before, keys, isApart } of open) {
        if (++steps > mostSteps) return []
        const state = pass(before)
        const { at } = state
        const sign = text.charAt(at)
        if (sign === close) done.push({ ...state, at: at + 1 })
        else if (sign === ',' && keys.length > 0) {
          const states = isApart ? damaged(state, 'comma', at, 1, '') : [state]
          for (const one of states) next.push({ state: { ...one, at: at + 1 }, keys, isApart: true })
        } else if (/[}\])]/.test(sign) || isEnd(at)) {
          // Its own bracket is missing. At the very end an inner object or list may have been cut off.
          const isCut = at >= text.length && (depth > 0 || keys.length === 0 || !isOver)
          const mayEnd = (keys.length === 0 || !isApart) && !isCut
          const states = mayEnd ? damaged(before, 'brackets', before.at, at - before.at, close) : []
          for (const one of states) done.push({ ...one, at })
        } else {
          // The comma may be the one in the text before.
          const isInside = /[,:;]["'`]$/.test(text.slice(Math.max(0, before.at - 2), before.at))
          const ready = isApart ? [state] : isInside ? [] : damaged(state, 'comma', before.at, 0, ',')
          const behind = ready.flatMap((one) =>
            isList ? [{ state: one, key: String(keys.length) }] : readKey(one, node),
          )
          for (const { state: one, key } of behind) {
            if (keys.includes(key)) continue
            const child = isList ? node.item(keys.length) : node.property(key)
            for (const after of value(one, child, depth + 1, isList))
              next.push({ state: after, keys: [...keys, key], isApart: false })
          }
        }
      }
      open = next
    }
    return done
  }

  /** The key that stands here, with its colon. */
  function readKey(state: State, node: Node): readonly { state: State; key: string }[] {
    const { at } = state
    keyHere.lastIndex = at
    const [whole = '', open = '', key = '', close = '', space = '', sign = ''] = keyHere.exec(text) ?? []
    const isFree = node.properties.length === 0
    if (key === '' || !(isFree || node.hasProperty(key))) return []
    // The colon may be the one in the text behind it.
    if (sign === '' && /^["'`]\s*[:=]/.test(text.slice(at + whole.length, at + whole.length + 8))) return []
    const end = at + whole.length
    const isUsual = open === close && (quotesKeys ? open === '"' : open === '' || open === usual || open === '"')
    const quoted = quotesKeys ? `"${key}"` : key
    const length = whole.length - space.length - sign.length
    const named = isUsual
      ? [state]
      : open === close
        ? [edit(state, at, length, quoted)]
        : damaged(state, 'quote', at, length, quoted)
    const states = named.flatMap((one) =>
      sign === colon ? [one] : damaged(one, 'colon', at + length, space.length + sign.length, colon),
    )
    return states.map((one) => ({ state: { ...one, at: end }, key }))
  }

  if (!text.startsWith(notation.open)) return []
  const start = { at: notation.open.length, damage: undefined, edits: undefined }
  return container(start, root, false, 0, notation.close)
    .filter(({ at }) => isEnd(skip(at)))
    .map(({ at, damage, edits }) => ({ text: apply(text.slice(0, at), edits), end: at, damage: damage ?? 'notation' }))
}

function apply(text: string, last: Edit | undefined): string {
  const edits: Edit[] = []
  for (let edit = last; edit !== undefined; edit = edit.before) edits.push(edit)
  // From the end on, so that the places before stay where they are; of two at one place the later is behind.
  edits.sort((a, b) => b.at - a.at)
  return edits.reduce(
    (done, { at, length, text: insert }) => done.slice(0, at) + insert + done.slice(at + length),
    text,
  )
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
