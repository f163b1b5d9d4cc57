import type { CharacterSet } from './tree.ts'

const last = 0x10ffff

/** Every character but these. */
export function allBut(set: CharacterSet): CharacterSet {
  const rest: [number, number][] = []
  let next = 0
  for (const [from, to] of set) {
    if (from > next) rest.push([next, from - 1])
    next = to + 1
  }
  if (next <= last) rest.push([next, last])
  return rest
}

export function union(...sets: readonly CharacterSet[]): CharacterSet {
  const merged: [number, number][] = []
  for (const [from, to] of sets.flat().toSorted((left, right) => left[0] - right[0])) {
    const end = merged.at(-1)
    if (end !== undefined && from <= end[1] + 1) end[1] = Math.max(end[1], to)
    else merged.push([from, to])
  }
  return merged
}

export function intersection(left: CharacterSet, right: CharacterSet): CharacterSet {
  return allBut(union(allBut(left), allBut(right)))
}

export function without(set: CharacterSet, removed: CharacterSet): CharacterSet {
  return intersection(set, allBut(removed))
}

/** The characters of a text. */
export function setOf(text: string): CharacterSet {
  return union(...[...text].map((char): CharacterSet => [[codeOf(char), codeOf(char)]]))
}

export function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0
}

export function has(set: CharacterSet, code: number): boolean {
  return set.some(([from, to]) => code >= from && code <= to)
}

export const anyCharacter: CharacterSet = [[0, last]]
/** All but ASCII. */
export const beyond: CharacterSet[number] = [128, last]
export const digits: CharacterSet = [[48, 57]]
export const wordCharacters: CharacterSet = union(digits, [[65, 90]], [[95, 95]], [[97, 122]])
