const [begin, end] = ['*** Begin Patch', '*** End Patch']
const section = /^\*\*\* (?:Add|Delete|Update) File: /
const mark = /^\*\*\* (?:End of File|Move to: )/
/** Numbers of lines are nothing that stands in a file. */
export function withoutNumbers(patch: string): string {
  return patch.replace(numbers, (_, name: string) => `@@ ${name}`.trimEnd())
}

/** Numbers of lines, as `diff` writes them; behind them may stand what the place is called. */
const numbers = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/gm

/**
 * A patch with its frame, and with the signs its lines lack where there is no doubt: a line of an update that begins with
 * none is context, and a new file in which no line has one has only new lines.
 */
export function withFrame(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const sections: string[][] = []
  let isInside = !lines.some((line) => line.trim() === begin)
  for (const line of lines) {
    const bare = line.trim()
    if (bare === begin || bare === end) isInside = bare === begin
    else if (isInside && section.test(bare)) sections.push([bare])
    else if (isInside) sections.at(-1)?.push(mark.test(bare) ? bare : line)
  }
  const mended = sections.flatMap(([first = '', ...rest]) => [first, ...withSigns(first, withoutBlankEnd(rest))])
  return `${[begin, ...mended, end].join('\n')}\n`
}

function withSigns(first: string, lines: readonly string[]): readonly string[] {
  if (first.startsWith('*** Add')) {
    return lines.some((line) => line.startsWith('+')) ? lines : lines.map((line) => `+${line}`)
  }
  if (!first.startsWith('*** Update')) return lines.filter((line) => line.trim() !== '')
  // Names of the file once more, as `diff` writes them before a place.
  const isName = (line: string, at: number): boolean =>
    (/^--- \S/.test(line) && /^\+\+\+ \S/.test(lines[at + 1] ?? '')) ||
    (/^\+\+\+ \S/.test(line) && /^--- \S/.test(lines[at - 1] ?? ''))
  return lines
    .filter((line, at) => !isName(line, at))
    .map((line) => (line === '' || !/^(?:[-+ *]|@@)/.test(line) ? ` ${line}` : line))
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1)
}
