import { isDeepStrictEqual } from 'node:util'
import { createReader, dialects, fold, printCalls } from '../../src/engine.ts'
import type { Event } from '../../src/protocol/event.ts'
import { middlewares, readWith } from './peers.ts'

const parameters = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' }, mode: { type: 'integer' } },
  required: ['path', 'content'],
}
const tools = [{ type: 'function' as const, name: 'write_file', description: 'Write a file', parameters }]
const theirs = [{ type: 'function', name: 'write_file', description: 'Write a file', inputSchema: parameters }]
const given = { path: 'a.ts', content: 'if (a < b && c) {\n  print("x")\n}\n', mode: 420 }

function cut(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
}

function printed(dialect: string, content = given.content): string {
  return printCalls([{ name: 'write_file', arguments: { ...given, content } }], { dialect, tools })
}

const wanted = (content = given.content) => [{ name: 'write_file', arguments: { ...given, content } }]

function ours(pieces: readonly string[], dialect: string | undefined) {
  const reader = createReader({ tools, dialect })
  const events: Event[] = []
  for (const piece of pieces) events.push(...reader.push(piece))
  events.push(...reader.end())
  return fold(events).calls.map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) as unknown }))
}

async function isReadBy(name: string, pieces: readonly string[], content?: string): Promise<boolean> {
  const middleware = middlewares.get(name)
  if (middleware === undefined) return false
  try {
    return isDeepStrictEqual((await readWith(middleware, pieces, theirs)).calls, wanted(content))
  } catch {
    // That is an answer, too.
    return false
  }
}

const plain = 'Hello, world'

/** How many formats each reads: one call as each dialect writes it, with a few words in it, and with code. */
export async function compareFormats(): Promise<string> {
  const contents = [plain, given.content]
  const readBy = (dialect: (name: string) => string | undefined) =>
    contents.map((content) => {
      const isRead = (name: string) =>
        isDeepStrictEqual(ours(cut(printed(name, content), 5), dialect(name)), wanted(content))
      return dialects.filter(({ name }) => isRead(name)).length
    })
  const rows: string[] = []
  const any = contents.map(() => new Set<string>())
  for (const middleware of middlewares.keys()) {
    const read = contents.map(() => [] as string[])
    for (const [i, content] of contents.entries()) {
      for (const { name } of dialects) {
        if (!(await isReadBy(middleware, cut(printed(name, content), 5), content))) continue
        read[i]?.push(name)
        any[i]?.add(name)
      }
    }
    rows.push(`| \`${middleware}\` | ${read.map(({ length }) => length).join(' | ')} | ${read[0]?.join(', ')} |`)
  }
  return `## Formats

One call as each of our ${dialects.length} dialects writes it, in pieces of five characters: with a few words in it, and with code (\`<\`, \`&&\`, quotes, a
line break at its end). How many are read as exactly that call? (Its own formats are few, and some of ours are its own under another name; each was tried with all of ours.)

| reader | words | code | which, with words |
|---|---|---|---|
| ours, told the dialect | ${readBy((name) => name).join(' | ')} | |
| ours, told nothing | ${readBy(() => undefined).join(' | ')} | those with marks of their own |
${rows.join('\n')}
| all of those together | ${any.map(({ size }) => size).join(' | ')} | |
`
}

/** The formats the other library is made for, in the words of ours. */
const shared: readonly (readonly [middleware: string, dialect: string])[] = [
  ['hermesToolMiddleware', 'hermes'],
  ['morphXmlToolMiddleware', 'xml-toolname'],
  ['yamlXmlToolMiddleware', 'yaml-xml'],
  ['qwen3CoderToolMiddleware', 'qwen3-coder'],
]

const sizes = [1, 2, 3, 5, 11, 23, 1_000_000]

/** Whether the cutting matters. */
export async function compareCutting(): Promise<string> {
  const rows: string[] = []
  for (const [middleware, dialect] of shared) {
    for (const [what, wrap] of situations) {
      const text = wrap(printed(dialect, plain))
      const isOurs = sizes.filter((size) => isDeepStrictEqual(ours(cut(text, size), dialect), wanted(plain)))
      let isTheirs = 0
      for (const size of sizes) if (await isReadBy(middleware, cut(text, size), plain)) isTheirs += 1
      rows.push(`| \`${dialect}\` | ${what} | ${isOurs.length} | ${isTheirs} |`)
    }
  }
  return `## Cutting

The same text in pieces of ${sizes.slice(0, -1).join(', ')} characters, and whole: in how many of the ${sizes.length} is it read as the one call that was made?

| format | text | ours | theirs |
|---|---|---|---|
${rows.join('\n')}
`
}

const situations: readonly (readonly [string, (call: string) => string])[] = [
  ['the call alone', (call) => call],
  ['prose before it', (call) => `I'll write it: a < b.\n\n${call}`],
  ['its closing mark forgotten', (call) => call.replace(/\s*<\/[^<>]+>\s*$/, '')],
]

const lengths = [16, 32, 64, 128]
/** A reader that takes longer than this is not asked for twice as much. */
const patienceMs = 10_000

/** How long arguments of growing length take, in pieces of four characters. */
export async function compareLength(): Promise<string> {
  const line = 'const total = items.reduce((sum, { price }) => sum + price, 0) // <b> & "quotes"\n'
  const contentOf = (kilobytes: number) =>
    line.repeat(Math.ceil((kilobytes * 1024) / line.length)).slice(0, kilobytes * 1024)
  const rows: string[] = []
  for (const [middleware, dialect] of shared) {
    const mine: string[] = []
    const others: string[] = []
    let last = 0
    for (const kilobytes of lengths) {
      const content = contentOf(kilobytes)
      const pieces = cut(printed(dialect, content), 4)
      ours(pieces, dialect)
      const start = performance.now()
      const isRead = isDeepStrictEqual(ours(pieces, dialect), wanted(content))
      mine.push(`${(performance.now() - start).toFixed(0)} ms${isRead ? '' : ' (wrong)'}`)
      if (last > patienceMs) {
        others.push('–')
        continue
      }
      const begun = performance.now()
      const isTheirs = await isReadBy(middleware, pieces, content)
      last = performance.now() - begun
      others.push(`${last.toFixed(0)} ms${isTheirs ? '' : ' (wrong)'}`)
    }
    rows.push(`| \`${dialect}\` | ours | ${mine.join(' | ')} |`, `| | \`${middleware}\` | ${others.join(' | ')} |`)
  }
  const content = contentOf(64)
  const all = dialects.map(({ name }) => {
    const pieces = cut(printed(name, content), 4)
    ours(pieces, name)
    const start = performance.now()
    const isRead = isDeepStrictEqual(ours(pieces, name), wanted(content))
    return { name, isRead, ms: performance.now() - start }
  })
  const sorted = all.toSorted((a, b) => a.ms - b.ms)
  const median = sorted[Math.floor(sorted.length / 2)]
  const slowest = sorted.at(-1)
  const read = all.filter(({ isRead }) => isRead).length
  return `## Length

One argument of so many kilobytes of code, streamed four characters at a time. "Wrong" is a call that did not come out as it was written.

| format | reader | ${lengths.map((kilobytes) => `${kilobytes} kB`).join(' | ')} |
|---|---|${lengths.map(() => '---|').join('')}
${rows.join('\n')}

64 kB in every one of our ${dialects.length} dialects: ${read} read right, ${median?.ms.toFixed(0)} ms in the middle, ${slowest?.ms.toFixed(0)} ms at most (\`${slowest?.name}\`).
`
}
