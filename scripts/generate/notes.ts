import { noticed } from '../../src/doors/serving/change-log.ts'
import { type FailureCode, failureCodes, GatewayError } from '../../src/errors.ts'
import type { NoteKind } from '../../src/protocol/note.ts'
import { severityOf } from '../../src/protocol/trace/change.ts'
import { changeSentences } from '../../src/protocol/trace/sentences.ts'

/** What each header is for; `test/docs` finds those that are missing here. */
const sent: readonly (readonly [string, string])[] = [
  ['authorization: Bearer KEY', 'Your API key, where the gateway has `keys`. `x-api-key` works too.'],
  [
    'x-dragoman-tools: native',
    'Use native tool calls for this request, whatever `tools` says. `template` has the server’s chat template tell them, `prompt` puts them into the prompt.',
  ],
  ['x-dragoman-dialect: hermes', 'Teach the tools in this [dialect](dialects.md), for this request.'],
  ['x-dragoman-upstream-key: KEY', 'Your own key for the model server, where its `key` is `passthrough`.'],
  [
    'x-dragoman-via',
    'Which gateways a request went through. Gateways send it to each other, so that a circle is noticed.',
  ],
  [
    'x-request-id: TEXT',
    'Your own name for the request. It is in the log, in the answer, and goes on to the model server.',
  ],
  [
    'x-dragoman-via: ID',
    'Set by gateways, not by you: the gateways a request has passed. One that comes round again is refused.',
  ],
  ['x-conversation-id: TEXT', 'Which conversation this belongs to, for services that keep chats of their own.'],
]

const received: readonly (readonly [string, string])[] = [
  [
    'x-dragoman-mode',
    'How the model got its tools: `native`, `template`, `prompt`, or `none` if the request has none.',
  ],
  ['x-dragoman-dialect', 'The dialect it was taught, or that its template speaks.'],
  [
    'x-dragoman-constraint',
    'What the answer was held to, in prompt mode: a [grammar](grammars.md) as `gbnf`, `ebnf` or `structural-tag`, a `json-schema`, or only its beginning (`prefill`).',
  ],
  ['x-dragoman-upstream', 'The model server that answered.'],
  ['x-dragoman-notice', 'What you should know about this answer, see below. In a stream it may come as a trailer.'],
  ['x-request-id', 'The name of the request, yours or a new one. Look for it in the log.'],
  ['retry-after', 'With a status of 429 or 503: how many seconds to wait.'],
  [
    'x-dragoman-budget',
    'What is left of the budgets of your key and your team: `tokens_per_day=120000, cost_per_month=4.2`.',
  ],
  ['x-ratelimit-limit-requests', 'The limit of your key; also `remaining` and `reset`, and the same for `tokens`.'],
]

/** What to do about an error, where its own message leaves room for more. */
const remedies: Readonly<Partial<Record<FailureCode, string>>> = {
  answer_too_large: 'Raise `limits.answer`, or find out why the model never stops.',
  body_too_large: 'Raise `limits.body`.',
  context_length_exceeded: 'Start a new conversation or have your agent sum it up; on Ollama, raise `context`.',
  draining: 'Send it again: the gateway is being restarted.',
  forbidden_host: 'Add the name to `allowed_hosts`.',
  forbidden_origin: 'Add the web page to `allowed_origins`.',
  headers_too_large: 'Raise `limits.headers` and restart.',
  inspector_token: 'Open the inspector at the address with the token, which Dragoman prints when it starts.',
  insufficient_quota: 'Your budget here, or your account at the model service, is used up; the message says which.',
  internal_error: 'Please report it, with the line of the log that has the cause.',
  invalid_api_key: 'Use one of the `keys` of the gateway.',
  model_not_allowed: 'This key may not use the model: see `models` of the key.',
  model_not_found: '`GET /v1/models` lists the names.',
  not_ready: 'Start a model server; `dragoman doctor` says what is wrong with yours.',
  overloaded: 'Memory is short. Wait, or give Node more.',
  queue_full: 'Wait, or raise `queue` and `concurrency` of the upstream.',
  rate_limit_exceeded: 'Wait as long as `retry-after` says.',
  unanswered_tool_call: 'Every call in the history needs a result. `history: heal` on the model adds what is missing.',
  upstream_auth: "Check the upstream's `key`.",
  upstream_blocked: 'The service wants a person. Open it in your browser.',
  upstream_timeout: 'Raise `timeouts.first_event` or `timeouts.idle`.',
  upstream_truncated: 'The model server broke off. Its own log says why.',
  upstream_unreachable: 'Start the model server, or correct its `url`.',
}

/** `docs/notes.md`: headers, notices, notes and error codes. */
export function makeNotes(): string {
  const kinds = Object.keys(changeSentences).toSorted() as NoteKind[]
  return `# Headers, notes and errors

What you can send, what comes back, and what each word means. This page is made from the program (\`npm run generate\`).

## Headers you can send

${table(['header', 'what it does'], sent)}

## Headers that come back

${table(['header', 'what it says'], received)}

## Notices

The header \`x-dragoman-notice\` names what you should know about an answer, with details: \`schema_violation;path="book: seats[1]"\`.
A streamed answer sends its headers before its words, so what turns up later is in the trailer of the same name.

${table(
  ['notice', 'means'],
  Object.keys(noticed)
    .toSorted()
    .map((kind) => [kind, changeSentences[kind as NoteKind] ?? '']),
)}

## Notes

Everything Dragoman mended, left out or left alone, by the word the log uses for it. With \`log: debug\` (or \`DRAGOMAN_LOG=debug\`)
every request is followed by its notes, in order. \`info\` means that nothing is missing; \`warning\` means that something was left out or isn't
as it was asked for.

| note | | means |
|---|---|---|
${kinds.map((kind) => `| \`${kind}\` | ${severityOf(kind)} | ${changeSentences[kind]} |`).join('\n')}

## Errors

Every error has a \`code\` and a message that names the field and the remedy. On each API it comes in the shape its clients know.

| code | status | what to do |
|---|---|---|
${failureCodes.flatMap((code) => (remedies[code] === undefined ? [] : `| \`${code}\` | ${statusOf(code)} | ${remedies[code]} |`)).join('\n')}

With the other codes there is nothing to add to the message: ${failureCodes
    .filter((code) => remedies[code] === undefined)
    .map((code) => `\`${code}\` (${statusOf(code)})`)
    .join(', ')}.
`
}

function statusOf(code: FailureCode): number {
  return new GatewayError(code, '').status
}

function table([first, second]: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  return [`| ${first} | ${second} |`, '|---|---|', ...rows.map(([name, says]) => `| \`${name}\` | ${says} |`)].join(
    '\n',
  )
}
