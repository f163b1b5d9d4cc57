import { chmodSync, existsSync, writeFileSync } from 'node:fs'

/** Keeps the text of a file beside it, for its owner alone. Returns where; nothing kept before is overwritten. */
export function backUp(path: string, text: string): string {
  let backup = `${path}.bak`
  for (let count = 2; existsSync(backup); count++) backup = `${path}.bak${count}`
  writeFileSync(backup, text, { mode: 0o600 })
  chmodSync(backup, 0o600)
  return backup
}

/** A change of a text, line by line: what goes begins with `-`, what comes with `+`. Keys are not shown. */
export function printChange(before: string, after: string): readonly string[] {
  const [old, fresh] = [before, after].map((text) => (text.trim() === '' ? [] : text.trimEnd().split('\n')))
  return compare(old ?? [], fresh ?? []).map(([sign, line]) =>
    sign === '-' ? `- ${hideKeys(line, 'old key')}` : `+ ${hideKeys(line, 'new key')}`,
  )
}

type Line = readonly [sign: '-' | '+', line: string]

/** Beyond this, the lines that differ are told without being paired. */
const maxCells = 4_000_000

function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let [oldEnd, newEnd] = [before.length, after.length]
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1
    newEnd -= 1
  }
  const [old, fresh] = [before.slice(start, oldEnd), after.slice(start, newEnd)]
  const all = (sign: Line[0], lines: readonly string[]): readonly Line[] => lines.map((line) => [sign, line])
  if (old.length * fresh.length > maxCells) return [...all('-', old), ...all('+', fresh)]
  return walk(old, fresh, commonLengths(old, fresh))
}

/** How many lines the rests of both have in common, from each pair of places on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1))
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      const row = rows[i] as Uint32Array
      row[j] =
        old[i] === fresh[j] ? (rows[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(rows[i + 1]?.[j] ?? 0, rows[i]?.[j + 1] ?? 0)
    }
  }
  return rows
}

function walk(old: readonly string[], fresh: readonly string[], common: readonly Uint32Array[]): readonly Line[] {
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      i += 1
      j += 1
    } else if (j >= fresh.length || (i < old.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push(['-', old[i++] ?? ''])
    } else lines.push(['+', fresh[j++] ?? ''])
  }
  return lines
}

/** `…_MAX_OUTPUT_TOKENS` counts, and is none. */
const secret = /((?:key|token(?!s)|secret|password)\w*["']?\s*[:=]\s*)("[^"]*"?|'[^']*'?|[^\s,}]+)/gi

function hideKeys(line: string, word: string): string {
  return line.replace(secret, (_, name: string) => `${name}(${word})`)
}
