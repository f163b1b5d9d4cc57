import { chmodSync, existsSync, writeFileSync } from 'node:fs'

/** Keeps the text of a file beside it, for its owner alone. Returns where; nothing kept before is overwritten. */
export function backUp(path: string, text: string): string {
  let backup = `${path}.bak`
  for (let count = 2; existsSync(backup); count++) backup = `${path}.bak${count}`
  writeFileSync(backup, text, { mode: 0o600 })
  chmodSync(backup, 0o600)
  return backup
}
