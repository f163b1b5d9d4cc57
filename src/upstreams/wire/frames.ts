/**
 * Most events of a stream differ in one string, so what stands around it is remembered: an event that begins and ends
 * alike needs no parser, which makes reading a stream of small events twice as fast (`npm run bench -- gateway`).
 */
export class Frame<Kind> {
  /** Where the event that was read ended. */
  end = 0
  /** What its string is. */
  kind: Kind | undefined
  #prefix = ''
  #suffix = ''
  /** Frames learnt since one was last met: a service may say something new with every event. */
  #unused = 0

  /** The string of the event that begins at `at`, if it stands in the known frame: then see `kind` and `end`. */
  read(text: string, at: number): string | undefined {
    if (this.kind === undefined || !text.startsWith(this.#prefix, at)) return undefined
    const from = at + this.#prefix.length
    let to = text.indexOf('"', from)
    while (to !== -1 && isEscaped(text, to)) to = text.indexOf('"', to + 1)
    if (to === -1 || !text.startsWith(this.#suffix, to)) return undefined
    const value = readLiteral(text.slice(from, to))
    if (value === '') return undefined
    this.end = to + this.#suffix.length
    this.#unused = 0
    return value
  }

  /**
   * A parser found `value` in this event. `kindOf` says what the same event is with another string in its place; undefined:
   * something else, so that there is no frame.
   */
  learn(event: string, value: string, kindOf: (event: string, value: string) => Kind | undefined): void {
    if (this.#unused >= mostUnused || value === '') return
    this.#unused += 1
    this.kind = undefined
    const literal = JSON.stringify(value)
    const at = event.indexOf(literal)
    if (at === -1 || event.indexOf(literal, at + 1) !== -1) return
    this.#prefix = event.slice(0, at + 1)
    this.#suffix = event.slice(at + literal.length - 1)
    this.kind = kindOf(`${this.#prefix}${probe}${this.#suffix}`, probe)
  }

  forget(): void {
    this.kind = undefined
  }
}

const mostUnused = 8
const probe = 'qx7'

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has to escape them
const special = /[\\\0-\x1f]/

/** Empty for what is no string. */
function readLiteral(inner: string): string {
  if (!special.test(inner)) return inner
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return ''
  }
}
