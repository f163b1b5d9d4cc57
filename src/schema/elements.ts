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
export interface Span {
  readonly from: number
  readonly to: number
  readonly firstTag: number
  readonly endTag: number
}

export interface Element extends Span {
  readonly name: string
}

export interface Markup {
  readonly text: string
  readonly tags: readonly Tag[]
}

/**
 * The tags of a text, found in one pass. An opener belongs to the closer of its name that balances it; tags of other
 * names between them do not matter, because a value may quote anything.
 */
export function readMarkup(text: string): Markup {
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

export function wholeOf({ text, tags }: Markup): Span {
  return { from: 0, to: text.length, firstTag: 0, endTag: tags.length }
}

/**
 * The elements a span consists of; undefined when it is empty or holds anything else than elements and white space.
 * `endOfUnclosed` says at which tag an element without a closer ends, if it is to count as one.
 */
export function elementsOf(
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
export function unwrapCdata(text: string): string | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith(cdataOpen) || !trimmed.endsWith(cdataClose)) return undefined
  return trimmed.slice(cdataOpen.length, -cdataClose.length).replaceAll(`${cdataClose}${cdataOpen}`, '')
}

function isBlank(text: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() === ''
}
