import { isDeepStrictEqual } from 'node:util'
import { createReader, readAll } from '../../src/engine.ts'
import { jsonParsers } from './peers.ts'

const tools = [
  {
    name: 'edit',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, line: { type: 'integer' }, on: { type: 'boolean' } },
    },
  },
]

/** What models write for `{"path": …, "line": 3, "on": true}`. */
const broken: readonly (readonly [what: string, json: string, path?: string])[] = [
  ['valid JSON', '{"path": "a.ts", "line": 3, "on": true}'],
  ['a comma too many', '{"path": "a.ts", "line": 3, "on": true,}'],
  ['single quotes', "{'path': 'a.ts', 'line': 3, 'on': true}"],
  ['keys without quotes', '{path: "a.ts", line: 3, on: true}'],
  ["Python's words", '{"path": "a.ts", "line": 3, "on": True}'],
  ['a line break in a string', '{"path": "a\nb", "line": 3, "on": true}', 'a\nb'],
  ['a quote in a string', '{"path": "say "hi" twice", "line": 3, "on": true}', 'say "hi" twice'],
  ['numbers and booleans as text', '{"path": "a.ts", "line": "3", "on": "true"}'],
  ['the object in a string', '"{\\"path\\": \\"a.ts\\", \\"line\\": 3, \\"on\\": true}"'],
  ['a comment', '{"path": "a.ts", /* here */ "line": 3, "on": true}'],
  ['a string in pieces', '{"path": "a" + ".ts", "line": 3, "on": true}'],
  ['an ellipsis', '{"path": "a.ts", "line": 3, "on": true, ...}'],
  ['a brace forgotten', '{"path": "a.ts", "line": 3, "on": true'],
]

function ours(json: string): unknown {
  const said = `<tool_call>\n{"name": "edit", "arguments": ${json}}\n</tool_call>`
  const [call] = readAll(said, { tools, dialect: 'hermes' }).calls
  return call === undefined ? undefined : JSON.parse(call.arguments)
}

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch {
    // It did not read it.
    return undefined
  }
}

export async function compareJson(): Promise<string> {
  const names = ['ours', ...jsonParsers.keys()]
  const readers = [ours, ...jsonParsers.values()]
  const rows = broken.map(([what, json, path = 'a.ts']) => {
    const wanted = { path, line: 3, on: true }
    const cells = readers.map((read) =>
      isDeepStrictEqual(
        attempt(() => read(json)),
        wanted,
      )
        ? 'yes'
        : 'no',
    )
    return `| ${what} | ${cells.join(' | ')} |`
  })
  return `## JSON as models write it

Arguments with a mistake in them: do they come out as what was meant, with the types the schema asks for? (The JSON libraries don't know the
schema, and don't claim to.)

| mistake | ${names.map((name) => (name === 'ours' ? name : `\`${name}\``)).join(' | ')} |
|---|${names.map(() => '---|').join('')}
${rows.join('\n')}

${compareGrowth()}`
}

/** A growing object, looked at after every piece: what a page does that shows arguments while they come. */
function compareGrowth(): string {
  const lengths = [16, 32, 64]
  const rows = [...jsonParsers].map(([name, parse]) => {
    const times = lengths.map((kilobytes) => {
      const json = JSON.stringify({ path: 'a.ts', content: 'x = "1" # line\n'.repeat((kilobytes * 1024) / 15) })
      const start = performance.now()
      for (let at = 40; at <= json.length; at += 40) attempt(() => parse(json.slice(0, at)))
      return `${(performance.now() - start).toFixed(0)} ms`
    })
    return `| \`${name}\` | ${times.join(' | ')} |`
  })
  const mine = lengths.map((kilobytes) => {
    const json = JSON.stringify({ path: 'a.ts', content: 'x = "1" # line\n'.repeat((kilobytes * 1024) / 15) })
    const text = `<tool_call>\n{"name": "edit", "arguments": ${json}}\n</tool_call>`
    const start = performance.now()
    const reader = createReader({ tools, dialect: 'hermes' })
    for (let at = 0; at < text.length; at += 40) reader.push(text.slice(at, at + 40))
    reader.end()
    return `${(performance.now() - start).toFixed(0)} ms`
  })
  return `Arguments of so many kilobytes, looked at every 40 characters. A library that parses all there is each time does four times the work for
twice the text.

| reader | ${lengths.map((kilobytes) => `${kilobytes} kB`).join(' | ')} |
|---|${lengths.map(() => '---|').join('')}
| ours (pieces of strict JSON) | ${mine.join(' | ')} |
${rows.join('\n')}
`
}
