import type { Note } from '../../../protocol/event.ts'
import type { FoldedCall } from '../../../protocol/fold.ts'
import { isJsonObject, parseJson } from '../../../protocol/json.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { checkArguments } from '../../../schema/check.ts'
import { compileParameters } from '../../../schema/compile.ts'
import type { InputChecks } from '../../inputs/checks.ts'

const shownPaths = 5

/** What a complete call has that its schema does not allow. It is shown by where it stands, never by what it says. */
export function violationOf(
  call: Omit<FoldedCall, 'id'>,
  tools: readonly Tool[],
  checks: InputChecks,
): Note | undefined {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) return undefined
  if (tool.kind === 'custom') {
    const faults = checks.of(tool.name)?.faults(call.arguments) ?? []
    return faults.length === 0 ? undefined : { type: 'note', kind: 'schema_violation', detail: `${tool.name}: input` }
  }
  const value = parseJson(call.arguments)
  const paths = isJsonObject(value)
    ? checkArguments(compileParameters(tool.parameters), value).map(({ path }) => path)
    : ['']
  if (paths.length === 0) return undefined
  const shown = [...new Set(paths)].slice(0, shownPaths).map((path) => (path === '' ? 'arguments' : path))
  return { type: 'note', kind: 'schema_violation', detail: `${call.name}: ${shown.join(', ')}` }
}
