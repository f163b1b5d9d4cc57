/**
 * An example in a document: a comment `<!-- example: name -->`, a `sh` block with one command, and the block after it, which
 * is what the command prints.
 */
export interface Example {
  readonly name: string
  readonly command: string
  readonly language: string
  readonly output: string
}

const shape = /<!-- example: ([\w-]+) -->\s*```sh\n([\s\S]*?)\n```\s*(?:[^`\n][^\n]*\n+)*```(\w+)\n([\s\S]*?)\n```/g

export function readExamples(markdown: string): readonly Example[] {
  return [...markdown.matchAll(shape)].map(([, name = '', command = '', language = '', output = '']) => ({
    name,
    command,
    language,
    output,
  }))
}

/** A command line as a shell would cut it: blanks, single and double quotes, a backslash before a line end. */
export function toWords(command: string): readonly string[] {
  const words = command.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)
  return [...words].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
}

/** `curl` as the documents use it: an address, `-H`, `-d`. A bare machine need not have the program. */
export async function curl(words: readonly string[], origin: string): Promise<string> {
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
  let body: string | undefined
  let address = ''
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '-H') {
      const [, key = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(words[++at] ?? '') ?? []
      headers.set(key, value)
    } else if (word === '-d') body = words[++at] ?? ''
    else if (word.startsWith('http')) address = word
    else if (word !== '-sS' && word !== '-N') throw new Error(`the example uses ${word}: teach it to test/docs`)
  }
  const { pathname, search } = new URL(address)
  const url = new URL(pathname + search, origin)
  const response = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body })
  return await response.text()
}

/** What differs from run to run, by its shape. */
export function settle(output: string): string {
  return output
    .replaceAll(/call_[A-Za-z0-9]{24}/g, 'call_…')
    .replaceAll(/chatcmpl-[A-Za-z0-9]+/g, 'chatcmpl-…')
    .replaceAll(/"created":\s*\d+/g, '"created": 0')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8484')
    .trimEnd()
}
