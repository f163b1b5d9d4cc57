const headEnd = Buffer.from('\r\n\r\n')
const newline = 0x0a

/** Finds the end of one HTTP/1.1 response, looking at no more bytes of it than it must. */
export class ResponseEnd {
  status = 0
  #head = ''
  #isChunked = false
  /** Bytes still to come: of the body, or of the chunk at hand. */
  #left = 0
  #state: 'head' | 'body' | 'size' | 'chunk' | 'after' | 'foot' = 'head'
  #line = ''

  /** Whether these bytes were the last of it. Responses come one at a time: nothing follows. */
  feed(bytes: Buffer): boolean {
    let at = 0
    if (this.#state === 'head') {
      at = this.#readHead(bytes)
      if (at === -1) return false
    }
    if (!this.#isChunked) {
      this.#left -= bytes.length - at
      return this.#left <= 0
    }
    while (at < bytes.length) {
      if (this.#state === 'chunk') {
        const taken = Math.min(this.#left, bytes.length - at)
        this.#left -= taken
        at += taken
        if (this.#left === 0) this.#state = 'after'
        continue
      }
      const end = bytes.indexOf(newline, at)
      this.#line += bytes.toString('latin1', at, end === -1 ? bytes.length : end + 1)
      if (end === -1) return false
      at = end + 1
      const line = this.#line
      this.#line = ''
      if (this.#state === 'after') this.#state = 'size'
      else if (this.#state === 'size') {
        this.#left = Number.parseInt(line, 16)
        this.#state = this.#left === 0 ? 'foot' : 'chunk'
      } else if (line === '\r\n') return true
    }
    return false
  }

  #readHead(bytes: Buffer): number {
    const before = this.#head.length
    this.#head += bytes.toString('latin1')
    const end = this.#head.indexOf('\r\n\r\n')
    if (end === -1) return -1
    const head = this.#head.slice(0, end).toLowerCase()
    this.status = Number(head.slice(9, 12))
    this.#isChunked = head.includes('transfer-encoding: chunked')
    this.#left = Number(/content-length: *(\d+)/.exec(head)?.[1] ?? 0)
    this.#state = this.#isChunked ? 'size' : 'body'
    return end + headEnd.length - before
  }
}
