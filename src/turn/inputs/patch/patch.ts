import type { TextGrammar } from '../../../protocol/custom.ts'

/** One place of a file that is changed. */
export interface Hunk {
  /** Lines that stand somewhere above it, one below the other, by its `@@`. */
  readonly anchors: readonly Anchor[]
  readonly lines: readonly PatchLine[]
}

export interface Anchor {
  readonly text: string
  /** Its place in the patch. */
  readonly at: number
}

export interface PatchLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
  readonly at: number
}

export interface Update {
  readonly path: string
  readonly hunks: readonly Hunk[]
}

/** Patches as Codex writes them, whatever the tool that takes them is called. */
export function isPatchGrammar({ definition }: TextGrammar): boolean {
  return definition.includes('"*** Begin Patch"') && definition.includes('"*** Update File: "')
}

const updateHeader = '*** Update File: '

/** The files that a patch which fits its grammar changes; those it adds or deletes have nothing to be compared with. */
export function readUpdates(patch: string): readonly Update[] {
  const updates: { path: string; hunks: { anchors: Anchor[]; lines: PatchLine[] }[] }[] = []
  let isUpdate = false
  for (const [at, line] of patch.split('\n').entries()) {
    if (line.startsWith(updateHeader)) {
      updates.push({ path: line.slice(updateHeader.length).trim(), hunks: [] })
      isUpdate = true
    } else if (line.startsWith('*** ')) isUpdate &&= /^\*\*\* (?:Move to|End of File)/.test(line)
    else if (isUpdate) {
      const hunks = updates.at(-1)?.hunks ?? []
      const last = hunks.at(-1)
      if (line.startsWith('@@')) {
        const text = line.slice(2).trim()
        const anchors = text === '' ? [] : [{ text, at }]
        if (last !== undefined && last.lines.length === 0) last.anchors.push(...anchors)
        else hunks.push({ anchors, lines: [] })
        continue
      }
      const sign = line.charAt(0)
      if (sign !== ' ' && sign !== '-' && sign !== '+') continue
      if (last === undefined) hunks.push({ anchors: [], lines: [] })
      hunks.at(-1)?.lines.push({ sign, text: line.slice(1), at })
    }
  }
  return updates
}

/** The lines a place of a file must have for this hunk. */
export function oldLines({ lines }: Hunk): readonly string[] {
  return lines.flatMap(({ sign, text }) => (sign === '+' ? [] : [text]))
}

/** How lines are compared: to the letter, or without the white space around them, as programs that apply patches do at last. */
export type Likeness = (line: string) => string
export const exactly: Likeness = (line) => line
export const trimmed: Likeness = (line) => line.trim()

/** Below the last of the lines a hunk's `@@` name; undefined where one is not there. */
export function belowAnchors({ anchors }: Hunk, file: readonly string[], from: number): number | undefined {
  let at = from
  for (const { text } of anchors) {
    const place = file.findIndex((line, index) => index >= at && line.trim() === text)
    if (place === -1) return undefined
    at = place + 1
  }
  return at
}

/** Where in a file a hunk fits, from a line on. */
export function placesOf(hunk: Hunk, file: readonly string[], from: number, like: Likeness): readonly number[] {
  const old = oldLines(hunk).map(like)
  const lines = file.map(like)
  const places: number[] = []
  for (let at = from; at + old.length <= lines.length; at++) {
    if (old.every((line, index) => lines[at + index] === line)) places.push(at)
  }
  return places
}

const [begin, end] = ['*** Begin Patch', '*** End Patch']
const section = /^\*\*\* (?:Add|Delete|Update) File: /
const mark = /^\*\*\* (?:End of File|Move to: )/
/** Numbers of lines are nothing that stands in a file. */
export function withoutNumbers(patch: string): string {
  return patch.replace(numbers, (_, name: string) => `@@ ${name}`.trimEnd())
}

/** Numbers of lines, as `diff` writes them; behind them may stand what the place is called. */
const numbers = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/gm

/**
 * A patch with its frame, and with the signs its lines lack where there is no doubt: a line of an update that begins with
 * none is context, and a new file in which no line has one has only new lines.
 */
export function withFrame(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const sections: string[][] = []
  let isInside = !lines.some((line) => line.trim() === begin)
  for (const line of lines) {
    const bare = line.trim()
    if (bare === begin || bare === end) isInside = bare === begin
    else if (isInside && section.test(bare)) sections.push([bare])
    else if (isInside) sections.at(-1)?.push(mark.test(bare) ? bare : line)
  }
  const mended = sections.flatMap(([first = '', ...rest]) => [first, ...withSigns(first, withoutBlankEnd(rest))])
  return `${[begin, ...mended, end].join('\n')}\n`
}

function withSigns(first: string, lines: readonly string[]): readonly string[] {
  if (first.startsWith('*** Add')) {
    return lines.some((line) => line.startsWith('+')) ? lines : lines.map((line) => `+${line}`)
  }
  if (!first.startsWith('*** Update')) return lines.filter((line) => line.trim() !== '')
  // Names of the file once more, as `diff` writes them before a place.
  const isName = (line: string, at: number): boolean =>
    (/^--- \S/.test(line) && /^\+\+\+ \S/.test(lines[at + 1] ?? '')) ||
    (/^\+\+\+ \S/.test(line) && /^--- \S/.test(lines[at - 1] ?? ''))
  return lines
    .filter((line, at) => !isName(line, at))
    .map((line) => (line === '' || !/^(?:[-+ *]|@@)/.test(line) ? ` ${line}` : line))
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1)
}
