/** What a sentence offers as arguments, each list in the order of the sentence. */
export interface Values {
  readonly quoted: readonly string[]
  readonly urls: readonly string[]
  readonly paths: readonly string[]
  readonly numbers: readonly number[]
  /** Capitalised words inside the sentence: "Paris", "New York". */
  readonly names: readonly string[]
}

const quotation = /"([^"\n]+)"|`([^`\n]+)`|“([^”\n]+)”|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu
const url = /https?:\/\/[^\s"'`<>)\]]*[^\s"'`<>)\].,;:!?]/g
const path =
  /[A-Za-z]:\\[^\s"'`]+|(?<![\w/])(?:(?:~|\.{1,2})?\/)?(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}\b|(?<![\w/.])(?:~|\.{1,2})?(?:\/[\w@.-]*[\w@-])+\/?/g
const number = /(?<![\p{L}\p{N}._/-])-?\d+(?:\.\d+)?(?![\p{L}\p{N}_/]|\.\d)/gu
const name = /(?<=[\p{L}\p{N},]\s+)\p{Lu}[\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]+)*/gu

/** Stands where a value stood: as long as it, no letter, no space. */
export const HIDDEN = '\0'

/** Nothing is found twice, and everything keeps its place. */
function hide(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => HIDDEN.repeat(match.length))
}

/** Without quotations and addresses, inside of which no sentence ends. */
export function hideValues(text: string): string {
  return hide(hide(hide(text, quotation), url), path)
}

/** A clause that is nothing but names: no word stands before them. */
const onlyNames = /^(?:\p{Lu}[\p{L}'-]+[\s.?!]*)+$/u

export function readValues(clause: string): Values {
  const text = onlyNames.test(clause) ? `and ${clause}` : clause
  const quoted = Array.from(
    text.matchAll(quotation),
    (match) => match.slice(1).find((group) => group !== undefined) ?? '',
  )
  const unquoted = hide(text, quotation)
  const urls = unquoted.match(url) ?? []
  const withoutUrls = hide(unquoted, url)
  const paths = withoutUrls.match(path) ?? []
  const plain = hide(withoutUrls, path)
  return {
    quoted,
    urls: [...urls, ...quoted.filter((value) => /^https?:\/\/\S+$/.test(value))],
    paths: [...paths, ...quoted.filter((value) => /^[^\s:]*[\w-](?:\.\w{1,8}|\/[\w.-]*)$/.test(value))],
    numbers: (plain.match(number) ?? []).map(Number),
    names: (plain.match(name) ?? []).filter((word) => word !== 'I'),
  }
}

export function hasValues(values: Values): boolean {
  return Object.values(values).some((list) => list.length > 0)
}
