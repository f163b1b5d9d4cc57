import { GatewayError } from '../../../errors.ts'
import type { ClientWords } from '../../../protocol/text/client-words.ts'
import { SchemaRefusal } from '../../../upstreams/upstream.ts'
import type { Approach } from '../../plan.ts'
import type { TemplateSettings } from '../../settings.ts'

/** What chat templates say when they refuse a conversation, and what services say around it. */
const templateWords = new RegExp(
  [
    'system role (?:is )?not supported',
    'does not support .?system',
    'roles must alternate',
    'only user(?:, system)? and assistant roles? (?:are|is) supported',
    'system message must be (?:at the beginning|first)',
    'no user query found',
    'unexpected (?:message )?role',
    'message has tool role',
    'only supports single tool-calls',
    'cannot put tools in the first user message',
    'unknown role',
    'invalid role',
    'jinja',
    'chat.?template',
    'TemplateError',
    'template error',
    'apply_chat_template',
    'last message .*must be',
    'expected last role',
  ].join('|'),
  'i',
)

/** Whether the service refused the form of the conversation, and another form may do. */
export function isTemplateFailure(thrown: unknown): boolean {
  if (!(thrown instanceof GatewayError) || thrown.param === 'tools') return false
  // llama.cpp says it with a 500.
  return (thrown.code === 'upstream_rejected' || thrown.code === 'upstream_error') && templateWords.test(thrown.message)
}

/** Whether the service refused what its answer was to be held to. */
export function isConstraintFailure(thrown: unknown): boolean {
  if (!(thrown instanceof GatewayError)) return false
  return (
    (thrown.code === 'upstream_rejected' || thrown.code === 'upstream_error') && constraintWords.test(thrown.message)
  )
}

const constraintWords =
  /grammar|schema|response_format|structured.?output|guided|invalid (?:json )?format|regex|pattern/i

/** Whether all that looks like such a refusal stands in the request as well, so that it may be a quotation. */
export function isQuotedTemplate(thrown: unknown, client: ClientWords): boolean {
  if (!(thrown instanceof GatewayError)) return false
  return [...thrown.message.matchAll(new RegExp(templateWords, 'gi'))].every(([phrase]) => client.has(phrase))
}

/** Whether the service refused the tools themselves. */
export function isToolsFailure(thrown: unknown): boolean {
  if (!(thrown instanceof GatewayError) || thrown instanceof SchemaRefusal) return false
  return thrown.code === 'upstream_rejected' && thrown.param === 'tools'
}

interface Rung {
  readonly name: string
  readonly template: TemplateSettings
}

/** Forms a template may take where it refused the one of the settings, each plainer than the one before. */
export function rungsBelow({ mode, dialect, settings: { template } }: Approach): readonly Rung[] {
  const { system, alternate } = template
  const rungs: Rung[] = []
  // Told in a dialect, a conversation has one system message at most.
  if (dialect === undefined && system)
    rungs.push({ name: 'one-system-message', template: { ...template, single: true } })
  if (mode === 'native' || mode === 'template') return rungs
  if (system) rungs.push({ name: 'no-system-message', template: { ...template, system: false } })
  if (system || !alternate) rungs.push({ name: 'alternating', template: { system: false, alternate: true } })
  return [...rungs, { name: 'one-message', template: { system: false, alternate: true, transcript: true } }]
}
