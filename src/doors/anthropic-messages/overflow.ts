/** As agents of this protocol know it: they look for these words, and make their conversation shorter. */
export function overflow(tokens: number, most: number): string {
  return `prompt is too long: ${tokens} tokens > ${most} maximum`
}

const known = /prompt is too long: \d+ tokens > \d+ maximum/i

/** Where services name their limit: after these words, or before them. */
const limits = [
  /(?:context (?:length|size|window)|model(?:'s)? (?:length|limit)|maximum (?:allowed )?(?:length|number of tokens)|max_model_len|n_ctx|limit(?: of)?)[^\d.]{0,40}(\d{2,})/i,
  /(\d{2,})[ -]?tokens? (?:context|limit|maximum)/i,
]

/** Where they say that the prompt fits, and the answer that was allowed does not fit beside it. */
const answers = [
  /(?<prompt>\d+) (?:tokens )?(?:in|of|from) (?:the |your )?(?:messages|prompt|input)\D*(?<answer>\d+) (?:tokens )?(?:in|for) the completion/i,
  /too large: (?<answer>\d+).*?(?<prompt>\d+) input tokens/is,
]

/** Agents then allow less. */
function sayAnswer(prompt: number, answer: number, most: number): string {
  const remedy = 'decrease input length or `max_tokens` and try again'
  return `input length and \`max_tokens\` exceed context limit: ${prompt} + ${answer} > ${most}, ${remedy}`
}

/** What a service says about a prompt that does not fit, in the words that count here; its figures where it told them. */
export function sayOverflow(message: string): string {
  const said = known.exec(message)?.[0]
  if (said !== undefined) return said
  const plain = message.replace(/(\d)[,_](?=\d{3}\b)/g, '$1')
  const most = Number(limits.map((limit) => limit.exec(plain)?.[1]).find((figure) => figure !== undefined) ?? 0)
  const asked = answers.map((pattern) => pattern.exec(plain)).find((match) => match !== null)
  const { prompt = '', answer = '' } = asked?.groups ?? {}
  if (most > 0 && prompt !== '' && Number(prompt) <= most) return sayAnswer(Number(prompt), Number(answer), most)
  const larger = [...plain.matchAll(/\d+/g)].map(([figure]) => Number(figure)).filter((figure) => figure > most)
  if (most === 0 || larger.length === 0) return `prompt is too long: ${message}`
  return overflow(Math.min(...larger), most)
}
