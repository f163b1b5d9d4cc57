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
