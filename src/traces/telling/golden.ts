import type { Recipe, Reread } from '../../turn/observer.ts'
import type { Golden } from '../api.ts'
import type { Mask } from './redact.ts'

/** An answer that was read again as a case for `dragoman explain --batch`; undefined where it cannot be one. */
export function toGolden(id: string, reread: Reread | undefined, mask: Mask): Golden | undefined {
  const recipe = reread?.recipe
  return recipe === undefined || recipe.ending === 'died' ? undefined : fromRecipe(id, recipe, mask)
}

function printTool({ name, description, parameters }: Recipe['tools'][number]): object {
  return { type: 'function', function: { name, description, parameters } }
}

function fromRecipe(id: string, recipe: Recipe, mask: Mask): Golden {
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
