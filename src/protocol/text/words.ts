/** A list of names, written as one text with white space between them. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
