/**
 * Several words as one, by which something is found again: no other words make the same one. For every request, so without
 * looking at what they say, as JSON would.
 */
export function toKey(...words: readonly string[]): string {
  let key = ''
  for (const word of words) key += `${word.length} ${word} `
  return key
}
