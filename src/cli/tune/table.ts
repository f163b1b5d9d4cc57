/** Columns as wide as what is in them, the first to the left and the others to the right. The heading is first. */
export function printTable(rows: readonly (readonly string[])[], gap = 2): readonly string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

export function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map(({ length }) => length))
}
