/**
 * Writes the lines that come up in one turn of the event loop together: to write costs by the time, not by the line, and on a
 * busy gateway it was a tenth of a short answer (`bench/gateway`: short answers). Whatever is left is written when the
 * program ends.
 */
export function gatherLines(write: (text: string) => void): (line: string) => void {
  let lines = ''

  function flush(): void {
    const text = lines
    lines = ''
    if (text !== '') write(text)
  }

  process.on('exit', flush)
  return (line) => {
    if (lines === '') setImmediate(flush)
    lines += line
  }
}
