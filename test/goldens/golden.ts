import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * A golden file holds cases a person wrote down:
 *
 *     ## what the case is about
 *     <= ends length               how it is read, where that is not the usual way
 *     <tool_call>{"name": "ping"}  what the model said, to the letter
 *     => text "Hello."             what is made of it; what is not listed must not be there
 *     => call ping {}
 *     => notes closer_missing      the kinds of notes, each once
 */
export interface Golden {
  readonly title: string
  readonly dialect: string
  readonly given: Given
  readonly said: string
  readonly expected: Expected
}

export interface Given {
  readonly ends: 'stop' | 'length' | 'died'
  readonly startsIn: 'text' | 'reasoning'
  readonly unknownTools: 'auto' | 'call' | 'text'
  readonly parallel: boolean | undefined
  /** What stands in a message of the request. */
  readonly request: string | undefined
}

export interface Expected {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly finish: string | undefined
  readonly notes: readonly string[]
}

export function readGoldens(path: string): readonly Golden[] {
  const cases = readFileSync(path, 'utf8').split(/^## /m)
  if (cases.shift()?.trim() !== '') throw new Error(`${path} must begin with a case: ## title`)
  return cases.map((text) => toGolden(basename(path, '.golden'), text))
}

function toGolden(file: string, text: string): Golden {
  const [title = '', ...lines] = text.trimEnd().split('\n')
  const firstSaid = lines.findIndex((line) => !line.startsWith('<= '))
  const firstExpected = lines.findIndex((line) => line.startsWith('=> '))
  if (firstExpected < 0) throw new Error(`${file}: "${title}" expects nothing`)
  const given = toPairs(lines.slice(0, firstSaid))
  const expected = toPairs(lines.slice(firstExpected))
  const one = (pairs: readonly Pair[], name: string) => pairs.find(([word]) => word === name)?.[1]
  const texts = (name: string) => JSON.parse(one(expected, name) ?? '""') as string
  const calls = expected.filter(([word]) => word === 'call').map(([, call]) => toCall(call))
  const parallel = one(given, 'parallel')
  return {
    title,
    dialect: one(given, 'dialect') ?? file,
    given: {
      ends: (one(given, 'ends') ?? 'stop') as Given['ends'],
      startsIn: (one(given, 'starts') ?? 'text') as Given['startsIn'],
      unknownTools: (one(given, 'unknown_tools') ?? 'auto') as Given['unknownTools'],
      parallel: parallel === undefined ? undefined : parallel === 'true',
      request: one(given, 'request'),
    },
    said: lines.slice(firstSaid, firstExpected).join('\n'),
    expected: {
      text: texts('text'),
      reasoning: texts('reasoning'),
      calls,
      finish: finishOf(one(expected, 'finish') ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
      notes: one(expected, 'notes')?.split(', ') ?? [],
    },
  }
}

type Pair = readonly [word: string, rest: string]

function toPairs(lines: readonly string[]): readonly Pair[] {
  return lines.map((line) => {
    const [, word = '', rest = ''] = /^(?:<=|=>) (\S+) ?(.*)$/.exec(line) ?? []
    if (!words.has(word)) throw new Error(`not a line of a golden: ${line}`)
    return [word, rest]
  })
}

const words = new Set(
  'dialect ends starts unknown_tools parallel request text reasoning call finish notes nothing'.split(' '),
)

function toCall(text: string): { readonly name: string; readonly arguments: unknown } {
  const space = text.indexOf(' ')
  return { name: text.slice(0, space), arguments: JSON.parse(text.slice(space)) as unknown }
}

/** An upstream that died leaves no finish. */
function finishOf(word: string): string | undefined {
  return word === 'none' ? undefined : word
}
