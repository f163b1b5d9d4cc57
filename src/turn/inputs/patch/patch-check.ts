import type { Message } from '../../../protocol/message.ts'
import { nearest } from '../../../protocol/text/nearest.ts'
import type { InputCheck } from '../check.ts'
import { alignPatch } from './align.ts'
import {
  belowAnchors,
  type Hunk,
  oldLines,
  placesOf,
  readUpdates,
  trimmed,
  type Update,
  withFrame,
  withoutNumbers,
} from './patch.ts'
import { readShown, type Shown } from './shown.ts'

/** A patch has to fit its grammar, and what it would change has to be there in what the conversation has shown of the file. */
export function createPatchCheck(grammar: InputCheck, messages: readonly Message[]): InputCheck {
  let known: Shown | undefined
  const shown = (): Shown => (known ??= readShown(messages))
  const fits = (text: string): boolean => grammar.faults(text).length === 0

  function fitting(text: string): string | undefined {
    const meant = fits(text) ? text : (grammar.mend(text) ?? withFrame(text))
    return fits(meant) ? meant : undefined
  }

  return {
    mend(text) {
      const meant = fitting(text)
      const mended = meant === undefined ? text : alignPatch(withoutNumbers(meant), shown())
      return mended === text ? undefined : mended
    },
    faults(text) {
      const faults = grammar.faults(text)
      return faults.length > 0 ? faults : readUpdates(text).flatMap((update) => updateFaults(update, shown()))
    },
  }
}

function updateFaults({ path, hunks }: Update, shown: Shown): readonly string[] {
  const views = shown.of(path)
  if (views.length === 0) return []
  const fault = hunks.map((hunk) => hunkFault(hunk, views, shown)).find((one) => one !== undefined)
  const order = fault ?? orderFault(hunks, views)
  return order === undefined ? [] : [`does not fit ${path} as it was shown: ${order}`]
}

type Views = readonly (readonly string[])[]

function hunkFault(hunk: Hunk, views: Views, shown: Shown): string | undefined {
  const old = oldLines(hunk).filter((line) => line.trim() !== '')
  const named = hunk.anchors.map(({ text }) => text)
  const unseen = [...named, ...old].find((line) => !shown.has(line))
  if (unseen !== undefined) return unseenWords(unseen, views)
  if (old.length === 0) return undefined
  for (const view of views) {
    const below = belowAnchors(hunk, view, 0) ?? 0
    const [place, ...others] = placesOf(hunk, view, below, trimmed)
    if (place === undefined) continue
    if (others.length > 0 && named.length === 0) return severalWords(old, others.length + 1)
    const isExact = oldLines(hunk).every((line, index) => line.trimEnd() === view[place + index]?.trimEnd())
    return isExact || others.length > 0 ? undefined : indentationWords(oldLines(hunk), view.slice(place))
  }
  const lines = views.map((view) => new Set(view.map(trimmed)))
  return lines.some((view) => old.every((line) => view.has(line.trim()))) ? apartWords(old) : undefined
}

/** Who applies a patch looks for each place below the one before it. */
function orderFault(hunks: readonly Hunk[], views: Views): string | undefined {
  const isInOrder = (view: readonly string[]): boolean => {
    let from = 0
    for (const hunk of hunks) {
      const place = placesOf(hunk, view, from, trimmed)[0]
      if (place === undefined && placesOf(hunk, view, 0, trimmed).length > 0) return false
      from = place === undefined ? from : place + oldLines(hunk).length
    }
    return true
  }
  return views.every(isInOrder) ? undefined : 'its places must come in the order in which they stand in the file.'
}

const shownLength = 200

const show = (line: string): string => JSON.stringify(line.slice(0, shownLength))

function unseenWords(line: string, views: readonly (readonly string[])[]): string {
  const alike = nearest(line.trim(), views.flat().map(trimmed))
  const real = views.flat().find((one) => one.trim() === alike)
  return `it has no line ${show(line)}.${real === undefined ? '' : ` There is ${show(real)}.`} Lines of context and lines to be removed must be copied exactly.`
}

function severalWords([first = '']: readonly string[], count: number): string {
  return `the lines from ${show(first)} on stand in ${count} places. Say which is meant with more lines of context, or with "@@ " and a line that stands above it, such as the head of the function.`
}

function apartWords([first = '']: readonly string[]): string {
  return `the lines from ${show(first)} on do not follow each other there. Leave none out between them, or begin another place with "@@".`
}

function indentationWords(old: readonly string[], real: readonly string[]): string {
  const at = old.findIndex((line, index) => line.trimEnd() !== real[index]?.trimEnd())
  return `it has ${show(real[at] ?? '')}, not ${show(old[at] ?? '')}. Copy lines with the white space they begin with, after the sign of the patch.`
}
