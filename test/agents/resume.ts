import type { Row } from './matrix.ts'

/** Rows are kept as lines of JSON, one as soon as it is there. */
export const toLine = (row: Row) => `${JSON.stringify({ ...row, cells: [...row.cells] })}\n`

/** What was tried in a run before. What could not be had then is tried again, and so is a line that broke off. */
export function readDone(text: string): readonly Row[] {
  return text
    .split('\n')
    .flatMap(toRow)
    .filter(({ missing }) => missing === undefined)
}

function toRow(line: string): readonly Row[] {
  try {
    const { cells, ...row } = JSON.parse(line)
    return [{ ...row, cells: new Map(cells) }]
  } catch {
    return []
  }
}

/** A row that was tried is called by the name and the version. */
export const isDone = (rows: readonly Row[], name: string) =>
  rows.some((row) => row.name.replace(/ \d\S*$/, '') === name)
