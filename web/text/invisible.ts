/** A piece of text as it is, and what is to be seen in its place where it would not be seen by itself. */
export interface Glyph {
  readonly text: string
  readonly shown?: string
}

const names: Readonly<Record<string, string>> = { '\n': '⏎', '\t': '⇥', '\r': '␍' }

/** Controls, joiners, marks of direction, odd blanks; and plain blanks where they are easily overlooked. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}| {2,}| (?=\n|$)/gu

/** They turn the order of all that follows, also of what others said: a text could be read for another. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g

/** What is shown always, without looking for invisible characters. */
export function toSafeGlyphs(text: string): readonly Glyph[] {
  return cutAt(text, turning)
}

/** Cuts a text where something invisible stands. What is shown is for the eye: `text` alone is the text. */
export function toGlyphs(text: string): readonly Glyph[] {
  return cutAt(text, unseen)
}

function cutAt(text: string, pattern: RegExp): readonly Glyph[] {
  const glyphs: Glyph[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (index > at) glyphs.push({ text: text.slice(at, index) })
    glyphs.push({ text: found, shown: shownAs(found) })
    at = index + found.length
  }
  if (at < text.length) glyphs.push({ text: text.slice(at) })
  return glyphs
}

function shownAs(found: string): string {
  if (found.startsWith(' ')) return '·'.repeat(found.length)
  const code = found.codePointAt(0) ?? 0
  return names[found] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
