/** JSON text with its members on lines of their own. Only white space changes: numbers keep their digits. */
export function prettyJson(text: string): string {
  let out = ''
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') {
      const end = endOfString(text, at)
      out += text.slice(at, end)
      at = end - 1
    } else if (char === '{' || char === '[') {
      const next = /\S/.exec(text.slice(at + 1, at + 50))?.[0]
      if (next === '}' || next === ']') {
        at = text.indexOf(next, at)
        out += char + next
      } else {
        depth++
        out += char + line()
      }
    } else if (char === '}' || char === ']') {
      depth = Math.max(0, depth - 1)
      out += line() + char
    } else if (char === ',') out += `,${line()}`
    else if (char === ':') out += ': '
    else if (!/\s/.test(char)) out += char
  }
  return out
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++
    else if (text.charAt(at) === '"') return at + 1
  }
  return text.length
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
