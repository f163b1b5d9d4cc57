import { coerceText } from './coerce.ts'
import { kindOf } from './json-text.ts'
import { Kind, type Node } from './node.ts'

type Written = Markup & { readonly decode: (text: string) => string }

const maxDepth = 64
const container = Kind.array | Kind.object

/**
 * A value written as child elements: `<item>a</item><item>b</item>`, `<timeout>5</timeout><retries>3</retries>`. Undefined
 * when the text is not purely elements, or the schema does not want any. `decode` is for the texts inside.
 */
export function readElements(text: string, node: Node, decode = asWritten): string | undefined {
  if (!node.declared || !/^\s*<\w/.test(text)) return undefined
  const markup = { ...readMarkup(text), decode }
  return readStructure(markup, wholeOf(markup), node, 0)
}

/** A span is looked through for its own elements, not for theirs, so that the work is that of the text times its depth. */
function readStructure(markup: Written, span: Span, node: Node, depth: number): string | undefined {
  if (depth > maxDepth || (allows(node, Kind.string) && !allows(node, container))) return undefined
  const elements = childrenOf(markup, span, node)
  if (elements === undefined) return undefined
  if (!allows(node, container)) return readWrapped(markup, elements, node)
  if (isList(markup, elements, node)) return `[${readItems(markup, elements, node, depth).join(',')}]`
  if (allows(node, Kind.object)) return readMembers(markup, elements, node, depth)
  // The members of the one item of an array.
  const item = node.item(0)
  const isItem = !item.declared || hasMembers(item, elements)
  return isItem ? `[${readMembers(markup, elements, item, depth)}]` : undefined
}

/** A number or boolean in one element of no meaning: `<item>42</item>`. */
function readWrapped(markup: Written, elements: readonly Element[], node: Node): string | undefined {
  const [only, ...others] = elements
  if (only === undefined || others.length > 0 || (only.name !== 'item' && only.name !== 'value')) return undefined
  const { json } = coerceText(node, textOf(markup, only).text)
  return (kindOf(json) & node.types) === 0 ? undefined : json
}

function isList(markup: Written, elements: readonly Element[], node: Node): boolean {
  if (!allows(node, Kind.array)) return false
  const [first] = elements
  if (first === undefined || elements.every(({ name }, index) => name === String(index))) return true
  if (!elements.every(({ name }) => name === 'item' || name === first.name)) return false
  if (first.name === 'item') return true
  if (allows(node, Kind.object)) return false
  const item = node.item(0)
  if (elements.length > 1 || !hasMembers(item, elements)) return true
  // One element named like a member of an item is that member, unless it holds more than the member may.
  const own = item.property(first.name)
  return !allows(own, container) && childrenOf(markup, first, item) !== undefined
}

/** Whether these are members an object of this declaration has. */
function hasMembers(node: Node, elements: readonly Element[]): boolean {
  return node.declared && allows(node, Kind.object) && elements.every(({ name }) => node.hasProperty(name))
}

function readItems(markup: Written, elements: readonly Element[], node: Node, depth: number): readonly string[] {
  return elements.map((element, index) => {
    const item = node.item(index)
    const json = readValue(markup, element, item, depth + 1)
    // Where nothing is said about the items, the name of an element with elements in it may say what it is.
    const isNamed = !item.declared && element.name !== 'item' && element.name !== String(index)
    return isNamed && childrenOf(markup, element, item) !== undefined
      ? `{${JSON.stringify(element.name)}:${json}}`
      : json
  })
}

function readMembers(markup: Written, elements: readonly Element[], node: Node, depth: number): string {
  const members = new Map<string, Element[]>()
  for (const element of elements) {
    const same = members.get(element.name)
    if (same === undefined) members.set(element.name, [element])
    else same.push(element)
  }
  const written = [...members].map(([name, same]) => {
    const own = node.property(name)
    const isArray = own.declared && allows(own, Kind.array)
    const json = isArray
      ? readRepeated(markup, same, own, depth)
      : readValue(markup, same.at(-1) as Element, own, depth + 1)
    return `${JSON.stringify(name)}:${json}`
  })
  return `{${written.join(',')}}`
}

/** An array as a member: one element that holds all items, or an element for each. */
function readRepeated(markup: Written, same: readonly Element[], node: Node, depth: number): string {
  const isOne = same.length === 1
  const items: string[] = []
  for (const element of same) {
    const item = node.item(items.length)
    // Of several elements each may hold a part of the array, but where items are arrays, each is one.
    const isPart = isOne || !allows(item, Kind.array)
    const part = isPart ? readPart(markup, element, node, isOne, depth) : undefined
    if (part === undefined) items.push(readValue(markup, element, item, depth + 1))
    else if (isOne) return part
    else if (!/^\[\s*\]$/.test(part)) items.push(part.slice(1, -1))
  }
  return `[${items.join(',')}]`
}

function readPart(markup: Written, element: Element, node: Node, isWhole: boolean, depth: number): string | undefined {
  const children = childrenOf(markup, element, node)
  if (children !== undefined) {
    if (isWhole && allows(node, Kind.object)) return readStructure(markup, element, node, depth + 1)
    return isList(markup, children, node) ? `[${readItems(markup, children, node, depth + 1).join(',')}]` : undefined
  }
  const { text } = textOf(markup, element)
  const json = isWhole || /^\s*[[(]/.test(text) ? coerceText(node, text).json : ''
  return json.startsWith('[') ? json : undefined
}

function readValue(markup: Written, span: Span, node: Node, depth: number): string {
  const structure = readStructure(markup, span, node, depth)
  if (structure !== undefined) return structure
  const { text, isQuoted } = textOf(markup, span)
  return isQuoted && allows(node, Kind.string) ? JSON.stringify(text) : coerceText(node, text).json
}

/** The text of an element without its layout: a newline at either end, or CDATA marks, which say that a text is meant. */
function textOf(markup: Written, { from, to }: Span): { readonly text: string; readonly isQuoted: boolean } {
  const text = markup.text.slice(from, to)
  const quoted = unwrapCdata(text)
  return { text: quoted ?? markup.decode(text.replace(/^\r?\n|\r?\n$/g, '')), isQuoted: quoted !== undefined }
}

function childrenOf(markup: Written, span: Span, node: Node): readonly Element[] | undefined {
  return elementsOf(markup, span, (opener) => endOfUnclosed(markup, opener, span.endTag, node))
}

/** Where a member whose closer was forgotten ends: at the next member of the same object, or with the object. */
function endOfUnclosed({ tags }: Written, opener: number, endTag: number, node: Node): number | undefined {
  const name = tags[opener]?.name ?? ''
  if (allows(node, Kind.string) || !node.hasProperty(name)) return undefined
  const own = node.property(name)
  const inner = allows(own, Kind.array) ? own.item(0) : own
  const seen = new Set<string>()
  let index = opener + 1
  while (index < endTag) {
    const tag = tags[index]
    if (tag === undefined || tag.kind === 'close') return undefined
    const isClosed = tag.kind === 'empty' || (tag.closer >= 0 && tag.closer < endTag)
    const isInner = isClosed && inner.hasProperty(tag.name) && !seen.has(tag.name)
    if (!isInner && node.hasProperty(tag.name)) return index
    seen.add(tag.name)
    index = isClosed && tag.kind === 'open' ? tag.closer + 1 : index + 1
  }
  return endTag
}

function allows(node: Node, kinds: number): boolean {
  return (node.types & kinds) !== 0
}

function asWritten(text: string): string {
  return text
}

const cdataOpen = '<![CDATA['
const cdataClose = ']]>'

// No `<` inside a tag, attribute values included: so a tag that never ends costs only what stands before the next one.
const tagOrCdata =
  /<(?:!\[CDATA\[|\/\s*(\w[\w.-]*)\s*>|(\w[\w.-]*)(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>)/g

interface Tag {
  readonly kind: 'open' | 'close' | 'empty'
  readonly name: string
  readonly from: number
  readonly to: number
  /** Of an opener, the place of its closer in the list of tags; -1 when it has none. */
  closer: number
}

/** A part of a text: its characters, and the tags among them. */
interface Span {
  readonly from: number
  readonly to: number
  readonly firstTag: number
  readonly endTag: number
}

interface Element extends Span {
  readonly name: string
}

interface Markup {
  readonly text: string
  readonly tags: readonly Tag[]
}

/**
 * The tags of a text, found in one pass. An opener belongs to the closer of its name that balances it; tags of other
 * names between them do not matter, because a value may quote anything.
 */
function readMarkup(text: string): Markup {
  const tags: Tag[] = []
  const open = new Map<string, number[]>()
  let hasCdata = true
  tagOrCdata.lastIndex = 0
  for (let match = tagOrCdata.exec(text); match !== null; match = tagOrCdata.exec(text)) {
    const [whole, closing, opening, slash] = match
    const place = { from: match.index, to: match.index + whole.length, closer: -1 }
    if (closing !== undefined) {
      const opener = tags[open.get(closing)?.pop() ?? -1]
      if (opener !== undefined) opener.closer = tags.length
      tags.push({ ...place, kind: 'close', name: closing })
    } else if (opening !== undefined) {
      if (slash !== '/') {
        const same = open.get(opening)
        if (same === undefined) open.set(opening, [tags.length])
        else same.push(tags.length)
      }
      tags.push({ ...place, kind: slash === '/' ? 'empty' : 'open', name: opening })
    } else if (hasCdata) {
      const end = text.indexOf(cdataClose, place.to)
      hasCdata = end >= 0
      if (hasCdata) tagOrCdata.lastIndex = end + cdataClose.length
    }
  }
  return { text, tags }
}

function wholeOf({ text, tags }: Markup): Span {
  return { from: 0, to: text.length, firstTag: 0, endTag: tags.length }
}

/**
 * The elements a span consists of; undefined when it is empty or holds anything else than elements and white space.
 * `endOfUnclosed` says at which tag an element without a closer ends, if it is to count as one.
 */
function elementsOf(
  { text, tags }: Markup,
  span: Span,
  endOfUnclosed: (opener: number) => number | undefined,
): readonly Element[] | undefined {
  const elements: Element[] = []
  let at = span.from
  let index = span.firstTag
  while (index < span.endTag) {
    const tag = tags[index] as Tag
    if (tag.kind === 'close' || !isBlank(text, at, tag.from)) return undefined
    const firstTag = index + 1
    const closer = tags[tag.closer]
    if (tag.kind === 'empty') {
      elements.push({ name: tag.name, from: tag.to, to: tag.to, firstTag, endTag: firstTag })
      at = tag.to
      index = firstTag
    } else if (closer !== undefined && tag.closer < span.endTag) {
      elements.push({ name: tag.name, from: tag.to, to: closer.from, firstTag, endTag: tag.closer })
      at = closer.to
      index = tag.closer + 1
    } else {
      const endTag = endOfUnclosed(index)
      if (endTag === undefined) return undefined
      at = endTag < span.endTag ? (tags[endTag] as Tag).from : span.to
      const to = tag.to + text.slice(tag.to, at).trimEnd().length
      elements.push({ name: tag.name, from: tag.to, to, firstTag, endTag })
      index = endTag
    }
  }
  return elements.length > 0 && isBlank(text, at, span.to) ? elements : undefined
}

/** What stands between CDATA marks, when a text is nothing else. */
function unwrapCdata(text: string): string | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith(cdataOpen) || !trimmed.endsWith(cdataClose)) return undefined
  return trimmed.slice(cdataOpen.length, -cdataClose.length).replaceAll(`${cdataClose}${cdataOpen}`, '')
}

function isBlank(text: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() === ''
}
