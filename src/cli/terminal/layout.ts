/** As long as lines get: what the terminal shows without breaking them, and no more than reads well. */
export const terminalWidth = Math.min(process.stdout.columns || process.stderr.columns || 80, 80)

/** Words in lines of at most `width` characters, each behind this indent. A word that is longer stands alone. */
export function wrapWords(text: string, indent: string, width = terminalWidth): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && indent.length + longer.length > width) {
      lines.push(indent + line)
      line = word
    } else line = longer
  }
  lines.push(indent + line)
  return lines
}

/** Columns as wide as what is in them. The first stands to the left, the others to the right unless `align` says left. */
export function printTable(
  rows: readonly (readonly string[])[],
  gap = 2,
  align: 'left' | 'right' = 'right',
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  const pad = (cell: string, index: number): string => {
    const width = widths[index] ?? 0
    return index === 0 || align === 'left' ? cell.padEnd(width) : cell.padStart(width)
  }
  return rows.map((row) => row.map(pad).join(' '.repeat(gap)).trimEnd())
}

export function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map(({ length }) => length))
}
