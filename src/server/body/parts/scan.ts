const quote = 0x22
const backslash = 0x5c
/** So many bytes of a string are looked at one by one, before the next quote is searched for. */
const near = 32

/**
 * Walks over JSON without reading it: where its values end, and how deep they go. What it takes for JSON need not be;
 * whoever reads what lies between finds out.
 */
export class Scan {
  at = 0
  /** Of the value that was passed last; a string has none. */
  depth = 0
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The next byte that is no white space, as a code; 0 at the end. */
  peek(): number {
    const bytes = this.#bytes
    for (;;) {
      const code = bytes[this.at] ?? 0
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code
      this.at += 1
    }
  }

  /** Passes a string, an object or a list. False where none begins here, or it does not end. */
  passValue(): boolean {
    const bytes = this.#bytes
    const { length } = bytes
    let depth = 0
    this.depth = 0
    let at = this.at
    do {
      switch (bytes[at]) {
        case quote:
          at = this.#endOfString(at + 1) - 1
          break
        case 0x7b:
        case 0x5b:
          depth += 1
          if (depth > this.depth) this.depth = depth
          break
        case 0x7d:
        case 0x5d:
          depth -= 1
          break
        default:
          if (depth === 0) return false
      }
      at += 1
    } while (depth > 0 && at < length)
    this.at = at
    return depth === 0 && at <= length
  }

  /** Passes a number, or a word. */
  passWord(): void {
    const bytes = this.#bytes
    this.depth = 0
    for (;;) {
      const code = bytes[this.at] ?? 0
      if (code === 0x2c || code === 0x7d || code === 0x5d || code <= 0x20) return
      this.at += 1
    }
  }

  /** Behind the closing quote; beyond the end where there is none. */
  #endOfString(from: number): number {
    const bytes = this.#bytes
    const beyond = bytes.length + 1
    let at = from
    for (;;) {
      const until = Math.min(at + near, bytes.length)
      while (at < until) {
        const code = bytes[at]
        if (code === quote) return at + 1
        at += code === backslash ? 2 : 1
      }
      const next = bytes.indexOf(quote, at)
      if (next === -1) return beyond
      if (!isEscaped(bytes, next, at)) return next + 1
      at = next + 1
    }
  }
}

/** Whether an odd number of backslashes stands before a place, none of them before `from`. */
function isEscaped(bytes: Buffer, place: number, from: number): boolean {
  let at = place
  while (at > from && bytes[at - 1] === backslash) at -= 1
  return (place - at) % 2 === 1
}
