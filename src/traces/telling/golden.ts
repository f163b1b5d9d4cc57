import type { Recipe } from '../../turn/witness.ts'
import type { Golden } from '../api.ts'
import type { Recording } from '../recording/recording.ts'
import { createMask } from './redact.ts'

/** The last answer of an exchange as a case for `dragoman explain --batch`; undefined where nothing was read. */
export function toGolden(recording: Recording): Golden | undefined {
  const hearsay = recording.hearsays.findLast(({ text }) => text.length > 0 && !text.isTruncated)
  if (hearsay === undefined) return undefined
  const { recipe } = hearsay.reread(recording.endingOf(hearsay))
  if (recipe === undefined || recipe.ending === 'died') return undefined
  return fromRecipe(recording.beginning.id, recipe, createMask(recording.beginning.secrets))
}

function printTool({ name, description, parameters }: Recipe['tools'][number]): object {
  return { type: 'function', function: { name, description, parameters } }
}

function fromRecipe(id: string, recipe: Recipe, mask: (text: string) => string): Golden {
  const { text, tools, dialect, parallel, startsIn, unknownTools, ending, quoted, content, reasoning, calls } = recipe
  const masked = (call: { readonly name: string; readonly arguments: string }) => ({
    name: call.name,
    arguments: mask(call.arguments),
  })
  return {
    id,
    text: mask(text),
    tools: JSON.parse(mask(JSON.stringify(tools.map(printTool)))) as Golden['tools'],
    ...(dialect !== undefined && { dialect }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    finish_reason: ending,
    starts_in: startsIn,
    unknown_tools: unknownTools,
    ...(quoted.length > 0 && { quoted: quoted.map(masked) }),
    expected: {
      content: content === '' && calls.length > 0 ? null : mask(content),
      reasoning: reasoning === '' ? null : mask(reasoning),
      tool_calls: calls.map(masked),
      finish_reason: recipe.finish ?? null,
    },
  }
}
