import { type Language, languages } from './languages.ts'

/** What is known of a conversation when its answer is looked at. */
interface Situation {
  /** The model is at work: it was given results, or has items left on its list. */
  readonly isAtWork: boolean
  readonly toolNames: readonly string[]
}

/** Only the end of an answer counts, and no announcement is long. */
const tailLength = 600
const longest = 280
/** How many sentences before the last may be it: `I will read it. This tells us the word.` */
const lookedAt = 3

interface Rules {
  readonly intent: RegExp
  readonly form: RegExp
  readonly act: RegExp
  readonly move: RegExp
  readonly thing: RegExp
  readonly wait: RegExp
  readonly offer: RegExp
}

const rules: readonly Rules[] = languages.map(toRules)

/** What stands for itself in any language: `code`, a file's name, a path. */
const namedThing = /`[^`]+`|\b[\w-]+\.[a-z]{1,5}\b|(?:^|\s)[~.]?\/\w/
const question = /[?？¿]["'»”)]*$/

const code = /```|~~~/
const descriptions: readonly string[] = languages.flatMap(({ describes }) => describes ?? [])

/** Whether an answer shows in code how a tool of the request would be called: only the model can call it. */
function describesCall(answer: string, toolNames: readonly string[]): boolean {
  if (!code.test(answer) || toolNames.length === 0) return false
  const names = toolNames
    .filter((name) => /^[\w-]+$/.test(name) && answer.includes(name))
    .map((name) => name.toLowerCase())
  if (names.length === 0) return false
  const anyName = `(?:${names.join('|')})`
  const pattern = descriptions.map((one) => one.replaceAll('NAME', anyName)).join('|')
  return new RegExp(pattern, 'u').test(answer.slice(0, tailLength).toLowerCase())
}

/** Whether an answer that calls nothing ends with the words that a call comes now, or describes one. */
export function isAnnouncement(answer: string, { isAtWork, toolNames }: Situation): boolean {
  const end = endOf(answer)
  const said = sentencesOf(end)
  const last = said.at(-1)
  if (last !== undefined && question.test(last)) return false
  if (describesCall(answer, toolNames)) return true
  // A quotation, a table or code at the end announces nothing.
  if (last === undefined || /(?:```|~~~)\s*$/.test(end) || /^\s*[>|"“„«]/.test(end)) return false
  if (isAtWork && /[:：]$/.test(last) && last.length < longest) return true
  const isNamed = (text: string) => namedThing.test(text) || toolNames.some((name) => text.includes(name.toLowerCase()))
  return rules.some((rule) => {
    if (said.some((sentence) => rule.offer.test(sentence))) return false
    return said.some((sentence) => {
      // What follows a colon is what was announced.
      if (sentence.length > longest || (/[:：]$/.test(sentence) && sentence !== last)) return false
      return announces(sentence, rule, isAtWork, isNamed)
    })
  })
}

/** The last lines of the last paragraph. */
function endOf(answer: string): string {
  const paragraphs = answer
    .trimEnd()
    .slice(-tailLength)
    .split(/\n\s*\n/)
  const lines = (paragraphs.at(-1) ?? '').split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-lookedAt).join('\n')
}

function announces(sentence: string, rule: Rules, isAtWork: boolean, isNamed: (text: string) => boolean): boolean {
  const isAbout = () => isAtWork || isNamed(sentence) || rule.thing.test(sentence)
  const intent = rule.intent.exec(sentence)?.[0]
  if (intent !== undefined) {
    const done = sentence.slice(intent.length)
    if (rule.act.test(done) || (rule.move.test(done) && isAbout())) return true
  }
  return (rule.form.test(sentence) || rule.wait.test(sentence)) && isAbout()
}

/** The last sentences, in small letters and without what only decorates. */
function sentencesOf(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\*\*|__|\p{Extended_Pictographic}|\uFE0F/gu, '')
  return plain
    .split(/(?<=[.!?:…])\s+|(?<=[。！？：])|\n/)
    .map((sentence) => sentence.replace(/^\s*(?:[-*•#]+|\d+[.)])\s+/, '').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .slice(-lookedAt)
}

function toRules({
  isDense = false,
  leads,
  intents,
  forms,
  acts,
  moves,
  things,
  waits,
  offers,
  between = '(?:(?!not\\b|never\\b)\\S+\\s+)?',
}: Language): Rules {
  const edge = isDense ? ['', ''] : ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])']
  const word = (words: string) => new RegExp(`${edge[0]}(?:${words})${edge[1]}`, 'u')
  const gap = isDense ? '[\\s,，、.!！。]*' : '[\\s,.!—–-]+'
  // A clause before it, as in `To find the word, I will …`: never one that asks the client for something first.
  const clause = isDense ? '' : '(?:[^,;:.!?]{1,90},\\s+(?:so\\s+)?)?'
  const start = (words: string) => new RegExp(`^${clause}(?:(?:${leads})${gap})*(?:${words})${edge[1]}`, 'u')
  return {
    intent: start(intents),
    form: start(forms),
    act: new RegExp(`^\\s*${between}(?:${acts})${edge[1]}`, 'u'),
    move: new RegExp(`^\\s*${between}(?:${moves})${edge[1]}`, 'u'),
    thing: word(things),
    wait: word(waits),
    offer: word(offers),
  }
}
