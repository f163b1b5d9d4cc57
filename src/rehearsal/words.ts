const idle = new Set(
  `a all also an and any are as at be by can could current do does for from get give given how i if in into is it its me
  my new of on or our out please returns set should specific specified tell that the their then there these this those to
  tool up use used using want was we what when where which will with would you your`.split(/\s+/),
)

/** The words of a text or an identifier, in lower case and cut to their stems, so that "Files" meets `file_list`. */
export function wordsOf(text: string): readonly string[] {
  const spaced = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map(stemOf)
}

/** The words that mean something. */
export function tellingWords(text: string): readonly string[] {
  return wordsOf(text).filter((word) => !idleStems.has(word))
}

/** Good enough to let "running", "runs" and "run" meet; nobody sees a stem. */
function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word
  return word
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1')
    .replace(/(.{3})(?:ing|ed)$/, '$1')
    .replace(/([b-df-hj-np-rtv-z])\1$/, '$1')
    .replace(/(.{2})e$/, '$1')
}

const idleStems = new Set([...idle].map(stemOf))

/** What the user said, without what coding agents wrap around it. */
export function unwrap(text: string): string {
  const task = /<(task|user_message|user_query)>([\s\S]*?)<\/\1>/.exec(text)?.[2]
  return (task ?? text.replace(/<(environment_details|system-reminder)>[\s\S]*?<\/\1>/g, '')).trim()
}
