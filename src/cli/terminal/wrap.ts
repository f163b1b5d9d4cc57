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
