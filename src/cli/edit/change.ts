import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { diff } from 'node:util'

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
  const [old = [], fresh = []] = [before, after].map((text) => (text.trim() === '' ? [] : text.trimEnd().split('\n')))
  return diff(old, fresh).flatMap(([sign, line]) => {
    if (sign === 0) return []
    return sign === 1 ? [`- ${hideKeys(line, 'old key')}`] : [`+ ${hideKeys(line, 'new key')}`]
  })
}

/** `…_MAX_OUTPUT_TOKENS` counts, and is none. */
const secret = /((?:key|token(?!s)|secret|password)\w*["']?\s*[:=]\s*)("[^"]*"?|'[^']*'?|[^\s,}]+)/gi

function hideKeys(line: string, word: string): string {
  return line.replace(secret, (_, name: string) => `${name}(${word})`)
}
