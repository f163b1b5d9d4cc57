import { type Answer, answer, event, type OpenAiDoubleOptions, raw, refusal, type Script } from './openai-compat.ts'

type Body = Readonly<Record<string, unknown>>

/** One kind of service as it really behaves: what it tells of itself, what it refuses and in which words, how it frames things. */
export interface Profile {
  readonly name: string
  readonly flavour: string
  /** Known by its address, which a double does not have: the flavour has to be configured. */
  readonly configured?: boolean
  readonly questions: NonNullable<OpenAiDoubleOptions['questions']>
  /** Beside the id, in its list of models. */
  readonly listed?: Body
  /** What it says when its server or this model knows no tools. None: it says nothing, and the calls stay in the text. */
  readonly toolsRefused?: Script
  /** What it says of a field it does not know. None: it ignores it. */
  readonly fieldRefused?: (field: string) => Script
  /** A model's call that its own parser did not make out. Default: the markup in the text. */
  readonly leaked?: (markup: string) => Script
  /** What it sends after the answer has begun and something breaks. */
  readonly broken: readonly string[]
  /** Its own look of a request; returns what is wrong with it. */
  readonly check?: (body: Body) => string | undefined
  /** How it shapes an answer. */
  readonly shape?: Partial<Answer>
  /** What keeps its connections alive. */
  readonly comment?: string
  /** What it does with `tool_choice`. */
  readonly named: 'object' | 'required' | 'any' | 'name' | 'unsent'
}

const flat = (message: string, type = 'BadRequestError', code = 400) => ({
  object: 'error',
  message,
  type,
  param: null,
  code,
})
const nested = (message: string, type: string, code: unknown = null, param: unknown = null) => ({
  error: { message, type, param, code },
})
const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const noParser = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'

/** Messages must carry what this service knows and nothing else. */
function strayField(body: Body, known: readonly string[]): string | undefined {
  const messages = body['messages'] as readonly Body[]
  return messages.flatMap((message) => Object.keys(message)).find((field) => !known.includes(field))
}

function vllm(version: string, isFlat: boolean, reasoningField: 'reasoning_content' | 'reasoning'): Profile {
  return {
    name: `vllm-${version}`,
    flavour: 'vllm',
    questions: { '/version': { version: `${version}.0` } },
    listed: { owned_by: 'vllm', max_model_len: 32_768 },
    toolsRefused: refusal(400, isFlat ? flat(noParser) : nested(noParser, 'BadRequestError', 400)),
    broken: [
      data(
        isFlat ? flat('engine died', 'InternalServerError', 500) : nested('engine died', 'InternalServerError', 500),
      ),
      'data: [DONE]\n\n',
    ],
    shape: { reasoning: 'Hm.', reasoningField },
    named: 'object',
  }
}

export const profiles: readonly Profile[] = [
  vllm('0.10', true, 'reasoning_content'),
  vllm('0.11', false, 'reasoning_content'),
  vllm('0.13', false, 'reasoning'),
  vllm('0.27', false, 'reasoning'),
  {
    name: 'sglang',
    flavour: 'sglang',
    questions: { '/model_info': { tool_call_parser: 'qwen25', reasoning_parser: null, is_generation: true } },
    listed: { owned_by: 'sglang', max_model_len: 32_768 },
    broken: [data({ error: flat('scheduler died', 'InternalServerError', 500) })],
    shape: {
      reasoning: 'Hm.',
      usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, reasoning_tokens: 2 },
    },
    named: 'object',
  },
  {
    name: 'llamacpp',
    flavour: 'llamacpp',
    questions: {
      '/props': {
        build_info: 'b9999',
        default_generation_settings: { n_ctx: 8192 },
        chat_template_caps: { supports_tools: true, supports_tool_calls: true },
      },
    },
    toolsRefused: refusal(500, {
      error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' },
    }),
    leaked: (markup) =>
      refusal(500, {
        error: { code: 500, message: `Failed to parse input at pos 0: ${markup}`, type: 'server_error' },
      }),
    broken: [data({ error: { code: 500, message: 'slot failed', type: 'server_error' } })],
    check: (body) => (typeof (body['tool_choice'] ?? 'auto') === 'string' ? undefined : 'tool_choice is no string'),
    shape: { reasoning: 'Hm.' },
    named: 'unsent',
  },
  {
    name: 'ollama',
    flavour: 'ollama',
    questions: {
      '/api/version': { version: '0.15.0' },
      '/api/show': ({ model }) => ({
        capabilities: model === 'tools-refused' ? ['completion'] : ['completion', 'tools'],
      }),
    },
    listed: { owned_by: 'library' },
    toolsRefused: refusal(400, nested('registry.ollama.ai/library/gemma3:4b does not support tools', 'api_error')),
    // The OpenAI layer reads its own error line as an empty chunk and ends without a word.
    broken: [event({ choices: [{ index: 0, delta: {}, finish_reason: null }] })],
    shape: { reasoning: 'Hm.', reasoningField: 'reasoning', callShape: 'whole' },
    named: 'unsent',
  },
  {
    name: 'lmstudio',
    flavour: 'lmstudio',
    questions: {
      '/api/v1/models': {
        models: [{ key: 'native-ok', loaded_instances: [], capabilities: { trained_for_tool_use: true } }],
      },
    },
    toolsRefused: refusal(400, {
      error: 'Error rendering prompt with jinja template: "Only user and assistant roles are supported!"',
    }),
    broken: ['event: error\n', data({ error: { message: 'The model has crashed.' } })],
    named: 'required',
  },
  {
    name: 'tgi',
    flavour: 'tgi',
    questions: { '/info': { model_id: 'double', max_total_tokens: 8192, router: 'text-generation-router' } },
    toolsRefused: refusal(422, { error: 'Tool error: this template takes no tools', error_type: 'tool_error' }),
    broken: [data({ error: { message: 'Request failed during generation', http_status_code: 424 } })],
    check: (body) => strayField(body, ['role', 'content', 'tool_calls', 'tool_call_id']),
    shape: { callShape: 'whole', callId: '0', finish: 'stop' },
    named: 'name',
  },
  {
    name: 'openrouter',
    flavour: 'openrouter',
    configured: true,
    questions: {},
    toolsRefused: refusal(404, {
      error: {
        code: 404,
        message: 'No endpoints found that support tool use. To learn more about provider routing, visit: https://x',
      },
    }),
    fieldRefused: (field) =>
      refusal(400, {
        error: {
          code: 400,
          message: 'Provider returned error',
          metadata: {
            provider_name: 'Fireworks',
            raw: JSON.stringify(nested(`Extra inputs are not permitted, field: '${field}'`, 'invalid_request_error')),
          },
        },
      }),
    broken: [
      event({
        error: { code: 502, message: 'Provider disconnected' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      }),
    ],
    comment: ': OPENROUTER PROCESSING\n\n',
    shape: { reasoning: 'Hm.', reasoningField: 'reasoning' },
    named: 'object',
  },
  {
    name: 'groq',
    flavour: 'groq',
    configured: true,
    questions: {},
    toolsRefused: refusal(400, nested('`tool calling` is not supported with this model', 'invalid_request_error')),
    fieldRefused: (field) => refusal(400, nested(`property '${field}' is unsupported`, 'invalid_request_error')),
    leaked: (markup) =>
      raw([
        'event: error\n',
        data({
          error: {
            message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
            type: 'invalid_request_error',
            code: 'tool_use_failed',
            failed_generation: markup,
            status_code: 400,
          },
        }),
      ]),
    broken: [
      'event: error\n',
      data({ error: { message: 'model crashed', type: 'internal_server_error', status_code: 500 } }),
    ],
    check: (body) => strayField(body, ['role', 'content', 'tool_calls', 'tool_call_id']),
    shape: { usageIn: 'x_groq' },
    named: 'object',
  },
  {
    name: 'mistral',
    flavour: 'mistral',
    configured: true,
    questions: {},
    toolsRefused: refusal(422, extraForbidden('tools')),
    fieldRefused: (field) => refusal(422, extraForbidden(field)),
    broken: [data({ object: 'error', message: 'Service unavailable', type: 'internal_server_error', code: '1000' })],
    check: (body) =>
      ['stream_options', 'max_completion_tokens', 'user'].find((field) => field in body) ??
      (body['messages'] as readonly Body[])
        .map((message) => message['tool_call_id'])
        .filter((id) => typeof id === 'string')
        .find((id) => !/^[a-zA-Z0-9]{9}$/.test(id)),
    shape: { callShape: 'whole', callId: 'a1B2c3D4e' },
    named: 'any',
  },
  {
    name: 'deepseek',
    flavour: 'deepseek',
    configured: true,
    questions: {},
    toolsRefused: refusal(
      400,
      nested('deepseek-reasoner does not support Function Calling', 'invalid_request_error', 'invalid_request_error'),
    ),
    broken: [event({ choices: [{ index: 0, delta: {}, finish_reason: 'insufficient_system_resource' }] })],
    check: (body) =>
      (body['messages'] as readonly Body[]).some(
        (message) => 'tool_calls' in message && !('reasoning_content' in message),
      )
        ? 'The `reasoning_content` in the thinking mode must be passed back to the API.'
        : undefined,
    comment: ': keep-alive\n\n',
    shape: { reasoning: 'Hm.' },
    named: 'object',
  },
  {
    name: 'openai',
    flavour: 'openai',
    configured: true,
    questions: {},
    toolsRefused: refusal(
      400,
      nested(
        "Unsupported parameter: 'tools' is not supported with this model.",
        'invalid_request_error',
        'unsupported_parameter',
        'tools',
      ),
    ),
    fieldRefused: (field) =>
      refusal(400, nested(`Unknown parameter: '${field}'.`, 'invalid_request_error', 'unknown_parameter', field)),
    broken: [data(nested('The server had an error while processing your request.', 'server_error'))],
    check: (body) => ('max_tokens' in body ? 'max_tokens' : undefined),
    named: 'object',
  },
  {
    name: 'poe-v1',
    flavour: 'poe-v1',
    configured: true,
    questions: {},
    broken: [],
    named: 'object',
  },
  {
    name: 'plain',
    flavour: 'unknown',
    questions: {},
    toolsRefused: refusal(
      400,
      'This model does not support tool use or function calling but tools have been specified.',
    ),
    fieldRefused: (field) => refusal(400, { detail: `Unrecognized request argument supplied: ${field}` }),
    broken: [data({ error: 'out of memory' })],
    named: 'object',
  },
]

function extraForbidden(field: string): object {
  const detail = [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted', input: 1 }]
  return { object: 'error', message: { detail }, type: 'invalid_request_error', param: null, code: null }
}

/** An answer in this service's shape. */
export function answerAs({ shape = {}, comment }: Profile, content: Answer): Script {
  const script = answer({
    ...shape,
    ...content,
    ...(content.calls === undefined && { finish: content.finish ?? 'stop' }),
  })
  if (comment === undefined) return script
  return { ...script, writes: [comment, ...[...script.writes].flatMap((write) => [write, comment])] }
}
