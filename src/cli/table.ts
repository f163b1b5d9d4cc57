/** Rows under headings, columns as wide as their widest cell; the last column is not padded. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}
