import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, parseJson } from '../../protocol/json.ts'

/**
 * `strict`: as the format has it. `sample`: the same, made by chance. `around`: with words, fences and quotations, where it has
 * to be decided what is a call and what an example. `damaged`: with a mistake that models make.
 */
export const tiers = ['strict', 'sample', 'around', 'damaged'] as const

/** A text a model said, and what it comes to. A line of the data set. */
export interface Case {
  readonly id: string
  /** The dialect, as `dragoman dialects` calls it. */
  readonly format: string
  readonly tier: (typeof tiers)[number]
  readonly text: string
  /** OpenAI's array. */
  readonly tools: readonly object[]
  readonly expected: {
    /** White space around it does not count; null where there is none. */
    readonly content: string | null
    readonly tool_calls: readonly { readonly name: string; readonly arguments: string }[]
  }
}

/** How a parser did with one case. */
export interface Score {
  readonly of: Case
  /** With the text in one piece. */
  readonly calls: boolean
  readonly content: boolean
  /** Every cutting gave the same. */
  readonly cutting: boolean
}

/** In one piece, and in pieces of so many characters. */
const cuttings = [Number.POSITIVE_INFINITY, 1, 2, 3, 5, 11, 23]

function piecesOf(text: string, size: number): readonly string[] {
  const characters = [...text]
  if (size >= characters.length) return [text]
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, nth) =>
    characters.slice(nth * size, (nth + 1) * size).join(''),
  )
}

type Read = Case['expected']

/**
 * Has a parser read every case in every cutting: `command` gets `{"id", "format", "tools", "pieces"}` on its standard input,
 * a line each, and answers each with a line `{"id", "content", "tool_calls": [{"name", "arguments"}]}`, or `{"id", "skip": true}`
 * for formats it does not know.
 */
export async function tryParser(command: string, cases: readonly Case[]): Promise<readonly Score[]> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = cases.flatMap(({ format, tools, text }, nth) =>
    cuttings.map(
      (size) => `${JSON.stringify({ id: `${nth}/${size}`, format, tools, pieces: piecesOf(text, size) })}\n`,
    ),
  )
  const [said] = await Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    // A parser that ended early is told of by its exit code.
    pipeline(Readable.from(lines), child.stdin).catch(() => undefined),
  ])
  const [code] = await ended
  if (code !== 0) throw new Error(`The command ended with ${code}.`)
  const answers = new Map(said.join('').split('\n').flatMap(readAnswer))
  return cases.flatMap((of, nth): readonly Score[] => {
    const [whole, ...cut] = cuttings.map((size) => answers.get(`${nth}/${size}`))
    if (whole === 'skipped') return []
    return [
      {
        of,
        calls: whole !== undefined && isDeepStrictEqual(callsOf(whole), callsOf(of.expected)),
        content: whole !== undefined && contentOf(whole) === contentOf(of.expected),
        cutting: whole !== undefined && cut.every((one) => one !== undefined && isSame(one, whole)),
      },
    ]
  })
}

function readAnswer(line: string): readonly (readonly [string, Read | 'skipped'])[] {
  const answer = parseJson(line)
  if (!isJsonObject(answer) || typeof answer['id'] !== 'string') return []
  return [[answer['id'], answer['skip'] === true ? 'skipped' : (answer as unknown as Read)]]
}

function isSame(one: Read | 'skipped', other: Read): boolean {
  return one !== 'skipped' && contentOf(one) === contentOf(other) && isDeepStrictEqual(callsOf(one), callsOf(other))
}

const contentOf = ({ content }: Read): string => (typeof content === 'string' ? content.trim() : '')

const callsOf = ({ tool_calls: calls }: Read) => (Array.isArray(calls) ? calls.map(plainly) : [])

/** Arguments as what they mean. What is no JSON stays text. */
function plainly(call: Read['tool_calls'][number]) {
  return { name: call.name, arguments: parseJson(call.arguments) ?? call.arguments }
}
