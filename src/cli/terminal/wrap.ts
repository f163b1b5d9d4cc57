/** What every terminal shows without breaking lines. */
export const terminalWidth = 80

/** Words in lines of at most 80 characters, each behind this indent. A word that is longer stands alone. */
export function wrapWords(text: string, indent: string): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && indent.length + longer.length > terminalWidth) {
      lines.push(indent + line)
      line = word
    } else line = longer
  }
  lines.push(indent + line)
  return lines
}
