import { askAsGateway } from './ask.ts'
import type { Finding } from './finding.ts'
import type { Part } from './part.ts'
import { fitsSchema, schemaFormat, schemaQuestion } from './tasks.ts'

/** Whether the service holds an answer to a JSON schema, where it is known to. */
export async function examineGrammar({ upstream, model, progress, signal }: Part): Promise<readonly Finding[]> {
  const { constraints = [] } = await upstream.probe(model, signal).catch(() => ({ constraints: [] }))
  if (!constraints.some(({ kind }) => kind === 'json-schema')) return []
  progress('JSON by a schema')
  const asked = { messages: schemaQuestion, responseFormat: schemaFormat }
  const outcome = await askAsGateway(upstream, model, {}, asked, signal)
  if ('said' in outcome && fitsSchema(outcome.said.content)) {
    return [{ check: 'grammar', verdict: 'good', says: 'It holds answers to a JSON schema.' }]
  }
  return [
    {
      check: 'grammar',
      verdict: 'warning',
      says: "An answer that was to follow a JSON schema didn't.",
      fix: 'Update the model server. Without it, a call that is required can only be asked for in words.',
    },
  ]
}
