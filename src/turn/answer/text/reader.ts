import { dialects } from '../../../dialects/registry.ts'
import { createReader, type Reader, type ReaderOptions } from '../../../engine/reader.ts'
import { asFunctions } from '../../../protocol/custom.ts'
import type { Request } from '../../../protocol/request.ts'
import { callableTools, isForced } from '../../../protocol/tool.ts'
import type { Approach } from '../../plan.ts'
import type { QuotedCalls } from '../quoted/quoted.ts'
import { ownDialectOf } from './rescue.ts'
import { resultHeads } from './results.ts'

/** The engine as it reads the text of this turn. */
export function createTurnReader(
  request: Request,
  approach: Approach,
  newId: () => string,
  quoted: QuotedCalls,
): Reader {
  return createReader({
    ...readerOptions(request, approach),
    others: dialects,
    tools: asFunctions(callableTools(request)),
    quoted,
    newId,
  })
}

/** The engine as it reads thoughts that nothing followed: for calls of tools the client declared. */
export function createThoughtReader(
  request: Request,
  approach: Approach,
  newId: () => string,
  quoted: QuotedCalls,
): Reader {
  const { dialect = ownDialectOf(approach.settings), parallel } = readerOptions(request, approach)
  const tools = asFunctions(callableTools(request))
  const results = resultHeads(dialect)
  const options = { dialect, parallel, results, unknownTools: 'text', startsIn: 'reasoning' } as const
  return createReader({ ...options, others: dialects, tools, quoted, newId })
}

/** What decides how the text of a turn is read, beside its tools. */
export function readerOptions(
  request: Request,
  { dialect, settings, force }: Approach,
): Pick<ReaderOptions, 'dialect' | 'unknownTools' | 'parallel' | 'startsIn' | 'results'> {
  const { mode } = request.toolChoice ?? { mode: 'auto' }
  const isHeld = force?.constraint !== undefined && force.mayThink !== true && isForced(request.toolChoice)
  const isBegun = force?.prefill !== undefined || isHeld
  return {
    dialect: force?.reading ?? dialect,
    // Where the client names the tools that count, a call of any other is no call.
    unknownTools: mode === 'named' || mode === 'allowed' ? 'text' : settings.unknownTools,
    parallel: request.parallelCalls,
    results: resultHeads(dialect),
    startsIn: settings.template.thinks === true && !isBegun ? 'reasoning' : 'text',
  }
}
