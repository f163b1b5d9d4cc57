import { known, later } from '../text/running.ts'
import type { Source, Step } from '../text/source.ts'

/** A set of literals compiled for one-pass matching: a trie, and a table of the characters any of them begins with. */
export interface Marks<T> {
  /** 1 for every UTF-16 unit that begins a mark; 2 where such marks count only between words; 3 for a trigger. */
  readonly starts: Uint8Array
  readonly root: TrieNode<T>
}

interface TrieNode<T> {
  /** Of whom it is part: whoever adds to the marks of another copies what changes and shares the rest. */
  readonly owner: object
  readonly next: Map<number, TrieNode<T>>
  readonly values: T[]
  /** What is found where a mark ends here. */
  match: Step<Match<T>> | undefined
  /** One of its values counts wherever the mark stands. */
  isAnywhere: boolean
}

/** With `base`, its marks and these. */
export function compileMarks<T>(
  entries: Iterable<readonly [literal: string, value: T]>,
  triggers = '',
  isAnywhere: (value: T) => boolean = () => true,
  base?: Marks<T>,
): Marks<T> {
  const owner = {}
  const starts = base?.starts.slice() ?? new Uint8Array(65_536)
  const root = createNode(owner, base?.root)
  for (const [literal, value] of entries) {
    if (literal === '') continue
    if (starts[literal.charCodeAt(0)] !== 1) starts[literal.charCodeAt(0)] = isAnywhere(value) ? 1 : 2
    let node = root
    for (let i = 0; i < literal.length; i++) {
      const code = literal.charCodeAt(i)
      const there = node.next.get(code)
      const next = there?.owner === owner ? there : createNode(owner, there)
      node.next.set(code, next)
      node = next
    }
    node.values.push(value)
    node.match = known({ literal, values: node.values })
    node.isAnywhere ||= isAnywhere(value)
  }
  for (let i = 0; i < triggers.length; i++) starts[triggers.charCodeAt(i)] = 3
  return { starts, root }
}

function createNode<T>(owner: object, like?: TrieNode<T>): TrieNode<T> {
  const { next, values = [], match, isAnywhere = false } = like ?? {}
  return { owner, next: new Map(next), values: [...values], match, isAnywhere }
}

/** Whether a mark may begin here, as far as two characters tell. Before `from` there may be anything. */
export function mayBegin({ starts, root }: Marks<unknown>, text: string, at: number, from: number): boolean {
  const start = starts[text.charCodeAt(at)]
  const isApart = at === from || endsWords(text.charCodeAt(at - 1))
  if (start === 3 || (start === 2 && !isApart)) return start === 3
  const node = root.next.get(text.charCodeAt(at))
  if (node === undefined || at + 1 >= text.length) return true
  return (node.values.length > 0 && (isApart || node.isAnywhere)) || node.next.has(text.charCodeAt(at + 1))
}

/** Whether words may end with this: white space or `!`, `.`, `?`, and whatever other scripts have. */
export function endsWords(code: number): boolean {
  return code < 34 || code > 127 || code === 46 || code === 63
}

/** The characters with which marks begin. */
export function firstsOf({ root }: Marks<unknown>): readonly string[] {
  return [...root.next.keys()].map((code) => String.fromCharCode(code))
}

export interface Match<T> {
  readonly literal: string
  readonly values: readonly T[]
}

/** The longest mark that stands next, without taking it. Waits only while a longer one is still possible. */
export function matchMark<T>(source: Source, marks: Marks<T>): Step<Match<T> | undefined> {
  return matchAtHand(source, marks) ?? later(() => matchAtHand(source, marks))
}

const noMark: Step<undefined> = known(undefined)

/** Undefined where what is at hand may yet become a mark, or a longer one. */
function matchAtHand<T>({ text, at, ended }: Source, { root }: Marks<T>): Step<Match<T> | undefined> | undefined {
  let found: Step<Match<T> | undefined> = noMark
  let end = at
  for (let node: TrieNode<T> | undefined = root; node !== undefined; end++) {
    found = node.match ?? found
    if (node.next.size === 0) break
    if (end === text.length && !ended) return undefined
    node = node.next.get(text.charCodeAt(end))
  }
  return found
}

/** Whether the answer ends inside a mark that began here. */
export function endsInMark({ text, at, ended }: Source, { root }: Marks<unknown>): boolean {
  let node: TrieNode<unknown> | undefined = root
  for (let end = at; end < text.length && node !== undefined; end++) node = node.next.get(text.charCodeAt(end))
  return ended && node !== undefined
}

/** Whether a mark that counts stands at this place of a text that is all there. Every mark is asked about, not the longest only. */
export function hasMarkAt<T>(
  { root }: Marks<T>,
  text: string,
  at: number,
  counts: (literal: string, value: T) => boolean,
): boolean {
  let node = root
  for (let end = at; end < text.length; ) {
    const next = node.next.get(text.charCodeAt(end))
    if (next === undefined) return false
    node = next
    end++
    if (node.values.length === 0) continue
    const literal = text.slice(at, end)
    if (node.values.some((value) => counts(literal, value))) return true
  }
  return false
}
