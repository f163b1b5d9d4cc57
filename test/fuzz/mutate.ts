import type { Random } from './random.ts'

/** What parsers stumble over. */
const oddities: readonly string[] = [
  ...['\0', '\r', '\n', '\n\n', '\r\n', '\t', ' ', '\u2028', '\ufeff', '\u200b', '\ud83d', '\udc00', '🌍', 'é'],
  ...[
    '"',
    "'",
    '\\',
    '\\"',
    '\\u',
    '\\ud83d',
    '`',
    '```',
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    '</',
    '/>',
    '(',
    ')',
    ',',
    ':',
    '=',
    '|',
  ],
  ...[
    '{}',
    '[]',
    'null',
    'true',
    'NaN',
    '1e999',
    '-0',
    '9007199254740993',
    '__proto__',
    'constructor',
    'data: ',
    '[DONE]',
  ],
]

const longest = 4000

/** A text made of others: cut, joined, repeated, and strewn with what parsers stumble over. */
export function mutateText(corpus: readonly string[], words: readonly string[], random: Random): string {
  let text = random.pick(corpus)
  const changes = random.below(6)
  for (let nth = 0; nth < changes; nth += 1) text = change(text, corpus, words, random).slice(0, longest)
  return text
}

function change(text: string, corpus: readonly string[], words: readonly string[], random: Random): string {
  const at = random.below(text.length + 1)
  const to = Math.min(text.length, at + random.below(40))
  const [before, between, after] = [text.slice(0, at), text.slice(at, to), text.slice(to)]
  switch (random.below(8)) {
    case 0:
      return before
    case 1:
      return before + after
    case 2:
      return before + between + between.repeat(random.below(4)) + after
    case 3:
      return before + random.pick(oddities) + between + after
    case 4:
      return before + random.pick(words) + after
    case 5:
      return before + random.pick(corpus)
    case 6:
      return after + before + between
    default:
      return before + String.fromCharCode(random.below(0x250)) + after
  }
}

/** Cut anywhere. */
export function cutAnywhere(text: string, random: Random): readonly string[] {
  const pieces: string[] = []
  const most = random.pick([1, 3, 17, 200])
  for (let at = 0; at < text.length; ) {
    const size = 1 + random.below(most)
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

const values: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, '', 'x', 'user', 'auto', [], {}, [[]], [null], { a: null }],
  ...['\ud83d', '\0', '__proto__', 'data:image/png;base64,AAAA', ' '.repeat(300)],
]

/** A JSON value with some of its places changed. */
export function mutateJson(value: unknown, random: Random, depth = 0): unknown {
  if (random.below(14) === 0) return random.pick(values)
  if (Array.isArray(value)) {
    const list = value.map((item) => mutateJson(item, random, depth + 1))
    if (list.length > 0 && random.below(10) === 0) list.push(list[random.below(list.length)])
    if (random.below(12) === 0) list.splice(random.below(list.length + 1), 1)
    return list
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).flatMap(([key, item]) => {
      const chance = random.below(40)
      if (chance === 0) return []
      return [
        [chance === 1 ? random.pick(['x', 'type', 'id', 'content', 'role']) : key, mutateJson(item, random, depth + 1)],
      ]
    })
    if (random.below(20) === 0) entries.push(['__proto__', random.pick(values)])
    return Object.fromEntries(entries)
  }
  return value
}
