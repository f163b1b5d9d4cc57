import type { Event, Note } from '../../../protocol/event.ts'
import { type Answer, fold } from '../../../protocol/fold.ts'
import type { Json } from '../../../protocol/json.ts'
import type { Request } from '../../../protocol/request.ts'
import { checkArguments, type Problem } from '../../../schema/check.ts'
import { compileSchema } from '../../../schema/compile.ts'
import { schemaOf } from '../../prompt/force/format.ts'

const shownPaths = 5
const notJson: Problem = { path: '', message: 'the answer is not valid JSON' }

/** What is wrong with an answer by the response format of its request. Calls and refusals are no such answer. */
export function formatProblems(
  { content, calls, refusal }: Pick<Answer, 'content' | 'calls' | 'refusal'>,
  { responseFormat }: Request,
): readonly Problem[] {
  const schema = schemaOf(responseFormat)
  if (schema === undefined || calls.length > 0 || refusal !== '') return []
  let value: Json
  try {
    value = JSON.parse(content) as Json
  } catch {
    return [notJson]
  }
  return checkArguments(compileSchema(schema), value)
}

/** The same events, with a note before the finish of an answer that does not fit its response format. */
export async function* watchFormat(
  events: AsyncIterable<readonly Event[]>,
  request: Request,
): AsyncGenerator<readonly Event[], void> {
  const seen: Event[] = []
  for await (const batch of events) {
    seen.push(...batch)
    const end = batch.findIndex(({ type }) => type === 'finish')
    if (end === -1) yield batch
    else yield [...batch.slice(0, end), ...unmet(formatProblems(fold(seen), request)), ...batch.slice(end)]
  }
}

/** Told by where it stands, never by what it says. */
function unmet(problems: readonly Problem[]): readonly Note[] {
  if (problems.length === 0) return []
  const paths = [...new Set(problems.map(({ path }) => (path === '' ? 'the whole answer' : path)))]
  const detail = problems[0] === notJson ? 'not JSON' : `does not fit at ${paths.slice(0, shownPaths).join(', ')}`
  return [{ type: 'note', kind: 'response_format_unmet', detail }]
}
