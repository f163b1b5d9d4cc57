import { belowAnchors, exactly, type Hunk, oldLines, placesOf, readUpdates, trimmed } from './patch.ts'
import type { Shown } from './shown.ts'

/**
 * A patch whose old lines are the file's, to the letter. Who applies it finds them also with other white space, and writes them
 * back as the patch has them: indentation would not survive that. An `@@` that names no line of the file is left out where its
 * hunk fits one place alone.
 */
export function alignPatch(patch: string, shown: Shown): string {
  const lines = patch.split('\n')
  for (const { path, hunks } of readUpdates(patch)) {
    const views = shown.of(path)
    for (const hunk of hunks) {
      if (oldLines(hunk).every((line) => line.trim() === '')) continue
      for (const view of views) {
        const below = belowAnchors(hunk, view, 0)
        if (below !== undefined && placesOf(hunk, view, below, exactly).length > 0) break
        const [place, ...others] = placesOf(hunk, view, below ?? 0, trimmed)
        if (place === undefined || others.length > 0) continue
        const aligned = realigned(hunk, view, place)
        if (aligned === undefined) continue
        if (below === undefined) for (const { at } of hunk.anchors) lines[at] = '@@'
        for (const { at, text } of aligned) lines[at] = text
        break
      }
    }
  }
  return lines.join('\n')
}

interface Aligned {
  readonly at: number
  readonly text: string
}

/**
 * New lines are indented as those they replace are: where the file has all of these further in, they go as far. Undefined where
 * that says nothing certain of them.
 */
function realigned({ lines }: Hunk, view: readonly string[], place: number): readonly Aligned[] | undefined {
  let next = place
  const shifts: Record<' ' | '-', Set<string | undefined>> = { ' ': new Set(), '-': new Set() }
  const aligned = lines.map((line) => {
    if (line.sign === '+') return line
    const text = view[next++] ?? line.text
    if (text.trim() !== '') shifts[line.sign].add(shiftOf(line.text, text))
    return { ...line, text }
  })
  const shift = shiftOfNew(shifts)
  return shift === undefined
    ? undefined
    : aligned.map(({ sign, text, at }) => ({ at, text: sign + (sign === '+' && text !== '' ? shift + text : text) }))
}

function shiftOfNew({ ' ': kept, '-': removed }: Record<' ' | '-', Set<string | undefined>>): string | undefined {
  const [shift, ...others] = removed
  if (removed.size > 0) return others.length === 0 ? shift : undefined
  // Context whose sign was left out begins one column early, and new lines do not.
  const isUnsigned = [...kept].every((one) => one === '' || one === ' ')
  return isUnsigned ? '' : undefined
}

/** What stands before a line in the file and not in the patch; undefined where more than that differs. */
function shiftOf(written: string, real: string): string | undefined {
  const shift = real.slice(0, Math.max(0, real.trimEnd().length - written.trimEnd().length))
  return shift.trim() === '' && shift + written.trimEnd() === real.trimEnd() ? shift : undefined
}
