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
