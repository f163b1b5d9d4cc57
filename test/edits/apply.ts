/** What a client does with a patch: Codex' way, from its documentation. Undefined: it is refused, and nothing is changed. */
export function applyPatch(patch: string, files: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const lines = patch.trim().split('\n')
  if (lines[0]?.trim() !== '*** Begin Patch' || lines.at(-1)?.trim() !== '*** End Patch') return undefined
  const changed = { ...files }
  for (let at = 1; at < lines.length - 1; ) {
    const [, kind = '', path = ''] = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(lines[at] ?? '') ?? []
    const end = lines.findIndex(
      (line, index) => index > at && /^\*\*\* (?:Add|Delete|Update) File: |^\*\*\* End Patch/.test(line),
    )
    const body = lines.slice(at + 1, end)
    at = end
    if (kind === 'Add') {
      if (body.some((line) => !line.startsWith('+'))) return undefined
      changed[path] = body.map((line) => `${line.slice(1)}\n`).join('')
    } else if (changed[path] === undefined) return undefined
    else if (kind === 'Delete') delete changed[path]
    else {
      const updated = update(changed[path], body)
      if (updated === undefined) return undefined
      changed[path] = updated
    }
  }
  return changed
}

interface Chunk {
  readonly anchor: string | undefined
  readonly old: string[]
  readonly fresh: string[]
}

function update(text: string, body: readonly string[]): string | undefined {
  const chunks: Chunk[] = []
  for (const line of body) {
    if (line.startsWith('@@')) chunks.push({ anchor: line.slice(2).trim() || undefined, old: [], fresh: [] })
    else if (line.startsWith('*** ')) continue
    else {
      if (chunks.length === 0) chunks.push({ anchor: undefined, old: [], fresh: [] })
      const { old = [], fresh = [] } = chunks.at(-1) ?? {}
      const [sign, rest] = [line.charAt(0), line.slice(1)]
      if (sign === ' ' || sign === '-' || sign === '') old.push(rest)
      if (sign === ' ' || sign === '+' || sign === '') fresh.push(rest)
      if (!' -+'.includes(sign)) return undefined
    }
  }
  const lines = text.split('\n').slice(0, -1)
  let from = 0
  for (const { anchor, old, fresh } of chunks) {
    if (anchor !== undefined) {
      const place = seek(lines, [anchor], from)
      if (place === undefined) return undefined
      from = place + 1
    }
    const place = old.length === 0 ? lines.length : seek(lines, old, from)
    if (place === undefined) return undefined
    lines.splice(place, old.length, ...fresh)
    from = place + fresh.length
  }
  return lines.map((line) => `${line}\n`).join('')
}

function seek(lines: readonly string[], wanted: readonly string[], from: number): number | undefined {
  for (const like of [(line: string) => line, (line: string) => line.trimEnd(), (line: string) => line.trim()]) {
    for (let at = from; at + wanted.length <= lines.length; at++) {
      if (wanted.every((line, index) => like(line) === like(lines[at + index] ?? ''))) return at
    }
  }
  return undefined
}
