import type { JsonObject } from '../../src/protocol/json.ts'
import type { Tool } from './ask.ts'

const short = { type: 'string', maxLength: 12 }

/** Tools as people write them. */
export const plain: readonly Tool[] = [
  {
    name: 'read_file',
    parameters: { type: 'object', properties: { path: short }, required: ['path'], additionalProperties: false },
  },
  {
    name: 'set_lamp',
    parameters: {
      type: 'object',
      properties: { room: { enum: ['den', 'hall'] }, level: { type: 'integer', minimum: 0, maximum: 9 } },
      required: ['room', 'level'],
      additionalProperties: false,
    },
  },
]

/** As Pydantic writes them: definitions beside, and one that refers to itself. */
export const referring: readonly Tool[] = [
  {
    name: 'book',
    parameters: {
      $defs: {
        City: { type: 'object', properties: { name: short }, required: ['name'], additionalProperties: false },
      },
      type: 'object',
      properties: { from: { $ref: '#/$defs/City' }, to: { $ref: '#/$defs/City' } },
      required: ['from', 'to'],
      additionalProperties: false,
    },
  },
  {
    name: 'plant',
    parameters: {
      type: 'object',
      properties: { size: { enum: [1, 2] }, branch: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
      required: ['size', 'branch'],
      additionalProperties: false,
    },
  },
]

/** What was counted, against what it should be. */
export interface Figure {
  readonly what: string
  readonly met: number
  readonly of: number
  /** Shown for comparison, not judged. */
  readonly isControl?: boolean
  /** What was said where it should not. */
  readonly misses?: readonly string[]
}

/** Is told each figure as it is known. */
export type Tell = (figure: Figure) => void

const shownMisses = 3
const widest = 60

/** Nothing counted is nothing shown. */
export function isMissed({ met, of, isControl = false }: Figure): boolean {
  return !isControl && (met < of || of === 0)
}

export function printFigure(figure: Figure): string {
  const { what, met, of, isControl = false, misses = [] } = figure
  const mark = isControl ? ' ' : isMissed(figure) ? '✗' : '✓'
  const shown = misses.slice(0, shownMisses).map((said) => `    ${JSON.stringify(said)}`)
  return [`${mark} ${what.padEnd(widest)}  ${met} of ${of}`, ...shown].join('\n')
}

/** How often a question is answered as it should be. */
export async function count(
  what: string,
  runs: number,
  isMet: (run: number) => Promise<boolean>,
  more: Pick<Figure, 'isControl'> = {},
): Promise<Figure> {
  let met = 0
  for (let run = 0; run < runs; run++) if (await isMet(run)) met += 1
  return { what, met, of: runs, ...more }
}

export function question(run: number, fields: JsonObject = {}): JsonObject {
  return { messages: [{ role: 'user', content: `Do number ${run}.` }], max_tokens: 1_000, ...fields }
}
