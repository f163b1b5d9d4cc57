/** Elements in which clients put the user's own words. */
const own = /<(task|user_message|user_query)>([\s\S]*?)<\/\1>/

/** How Qwen Code and its kin begin a message of their own in the user's name. */
const setUp = /^This is the [^.\n]{1,40}\. We are setting up the context for our chat\./

/** A user's message: what the user says plainly, and what clients add to it. */
export function takeApart(message: string): { readonly plain: string; readonly added: string } {
  if (setUp.test(message)) return { plain: '', added: message }
  const text = own.exec(message)?.[2] ?? message
  let plain = ''
  let added = message.replace(text, '')
  let at = 0
  for (const open of text.matchAll(/<([A-Za-z][\w.:-]*)(?=[\s>/])/g)) {
    if (open.index < at) continue
    plain += `${text.slice(at, open.index)}\n`
    const close = text.indexOf(`</${open[1]}`, open.index)
    at = close === -1 ? text.length : text.indexOf('>', close) + 1 || text.length
    added += text.slice(open.index, at)
  }
  plain = (plain + text.slice(at)).trim()
  // `opencode run` puts its whole prompt into quotes.
  return { plain: (/^"([^"]*)"$/.exec(plain)?.[1] ?? plain).slice(0, 4000), added }
}

/** Code, quotations, quoted lines, addresses, and all that a line with a colon at its end introduces. */
const quoted = new RegExp(
  [
    '```[\\s\\S]*?(?:```|$(?![\\s\\S]))|`[^`]*(?:`|$)|^[ \\t]*>.*$|[:：][ \\t]*\\n[\\s\\S]*|https?:\\/\\/\\S+',
    '"[^"]*(?:"|$)|“[^”]*(?:”|$)|„[^“”]*(?:[“”]|$)|«[^»]*(?:»|$)|‹[^›]*(?:›|$)|「[^」]*(?:」|$)|『[^』]*(?:』|$)|‘[^’]*(?:’|$)',
    "(?<![\\p{L}\\p{N}])'[^']*(?:'(?!\\p{L})|$)",
  ].join('|'),
  'gmu',
)

const denied =
  /(?<!\p{L})(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|dont|avoid|refrain|nicht|kein\p{L}*|nie|niemals|niemand|ohne|ne|pas|jamais|sans|aucune?|personne|nunca|jamás|nadie|sin|não|ninguém|sem|non|nessuno|senza|niet|geen|nooit|zonder|nigdy|bez|не|нельзя|никогда|никто|без|inte|aldrig|ikke|aldri|değil|jangan|không|đừng|لا|لم|אל|לא|मत|नहीं)(?!\p{L})|n['’]t(?!\p{L})|[不别勿没莫禁]|ない|ません|말|않/iu

/** The sentences in which the user speaks plainly and denies nothing. */
export function sentencesOf(plain: string): readonly string[] {
  const sentences = plain.replace(quoted, ' … ').split(/[.!?;]+(?=\s|$)|[。！？；]|\n/u)
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '' && !denied.test(sentence))
}

const polite =
  /^(?:(?:please|now|also|just|first|next|okay|ok|hey|hi|hello|(?:can|could|would|will) you|i(?:'d like| want| need| would like) you to|let's|go ahead and)[\s,]+)+/i

/** The parts of a sentence that may each tell to do something, without polite words before them. */
export function clausesOf(sentence: string): readonly string[] {
  const clauses = sentence.replace(polite, '').split(/,\s+|,?\s+(?:and then|and|then)\s+/i)
  return clauses.map((clause) => clause.replace(polite, ''))
}

/** Names of places: letters and nothing else. */
export function placesIn(sentence: string): readonly string[] {
  const names = sentence.matchAll(/\b(?:in|for|at|and|or)\s+(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*){0,3})/gu)
  const places = Array.from(names, ([, name = '']) => name)
  return places.length > 0 ? places : [/\b(?:in|for|at)\s+(\p{Ll}[\p{L}-]{1,30})/u.exec(sentence)?.[1] ?? 'Paris']
}

const folder =
  /(?:working (?:in the )?directory(?: is|:| \()\s*`?|<cwd>\s*)((?:\/|[A-Za-z]:[\\/])[^\n<>"'`|;&$*?()]{0,300})/i

/** The folder in which a client says it works. */
export function folderIn(text: string): string | undefined {
  const found = folder
    .exec(text)?.[1]
    ?.trim()
    .replace(/[\\/.]+$/, '')
  return found === undefined || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(found) ? undefined : found
}

/** The words of an identifier in lower case, with spaces between them. */
export function wordsOf(name: string): string {
  const spaced = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return spaced.match(/[\p{L}\p{N}]+/gu)?.join(' ') ?? ''
}
