import { compileEbnf, compileSchema, compileStructuralTag, type Oracle } from '../constrain/oracle.ts'
import { answer, type OpenAiDoubleOptions, refusal, type Script } from './openai-compat.ts'

type Body = Readonly<Record<string, unknown>>

/** A model server that holds answers to grammars, with a model that chooses by chance among what they allow. */
export interface HeldProfile {
  readonly name: string
  readonly questions: NonNullable<OpenAiDoubleOptions['questions']>
  /** Its list of models says whose it is. */
  readonly owner: string
  /** What this version makes of a request: a refusal, a grammar, or undefined where nothing holds the answer. */
  hold(body: Body): Promise<Oracle | Script | undefined>
}

const flat = (message: string) =>
  refusal(400, { object: 'error', message, type: 'BadRequestError', param: null, code: 400 })
const nested = (message: string) =>
  refusal(400, { error: { message, type: 'BadRequestError', param: null, code: 400 } })

/** One that does not compile is refused in the service's words. */
async function compiled(make: () => Promise<Oracle>, refused: Script): Promise<Oracle | Script> {
  try {
    return await make()
  } catch {
    return refused
  }
}

const given = (body: Body, fields: readonly string[]) => fields.filter((field) => (body[field] ?? null) !== null)

/** Fields of another version are ignored without a word. */
export const vllmOld: HeldProfile = {
  name: 'vLLM 0.10',
  owner: 'vllm',
  questions: { '/version': { version: '0.10.2' } },
  async hold(body) {
    const [only, ...others] = given(body, ['guided_json', 'guided_grammar', 'guided_regex', 'guided_choice'])
    if (others.length > 0) return flat('You can only use one kind of guided decoding but multiple are specified')
    const value = only === undefined ? undefined : body[only]
    if (only === 'guided_json') {
      return await compiled(
        () => compileSchema(value as object),
        flat('Failed to transform json schema into a grammar'),
      )
    }
    if (only !== 'guided_grammar') return undefined
    return await compiled(() => compileEbnf(String(value)), flat('Invalid grammar specification.'))
  },
}

function vllmNew(version: string, knowsFormats: boolean): HeldProfile {
  return {
    name: `vLLM ${version}`,
    owner: 'vllm',
    questions: { '/version': { version } },
    async hold(body) {
      const { response_format: format, structured_outputs: outputs = {} } = body as { [key: string]: Body | undefined }
      const [only, ...others] = given(outputs, ['json', 'grammar', 'structural_tag', 'regex', 'choice'])
      if (others.length > 0) return nested('You can only use one kind of structured outputs constraint')
      if (only === 'grammar') {
        return await compiled(() => compileEbnf(String(outputs['grammar'])), nested('Invalid grammar specification.'))
      }
      if (only === 'json') {
        const schema = outputs['json'] as object
        return await compiled(() => compileSchema(schema), nested('Failed to transform json schema into a grammar'))
      }
      if (only === 'structural_tag' && typeof outputs[only] !== 'string') {
        return nested("1 validation error: {'loc': ('body', 'structured_outputs', 'structural_tag')}")
      }
      const tag = only === undefined ? format : (JSON.parse(String(outputs['structural_tag'])) as Body)
      if (tag?.['type'] !== 'structural_tag') return undefined
      const refused = nested('Invalid structural tag specification.')
      return knowsFormats ? await compiled(() => compileStructuralTag(tag), refused) : refused
    },
  }
}

export const vllmFirst = vllmNew('0.11.0', false)
export const vllmLatest = vllmNew('0.27.1', true)

export const sglang: HeldProfile = {
  name: 'SGLang',
  owner: 'sglang',
  questions: { '/model_info': { tool_call_parser: null, is_generation: true } },
  async hold(body) {
    const format = body['response_format'] as Body | undefined
    const ebnf = body['ebnf']
    if (ebnf !== undefined && format !== undefined) {
      return flat('Only one of regex, json_schema, ebnf or structural_tag can be set.')
    }
    if (ebnf !== undefined) {
      return await compiled(() => compileEbnf(String(ebnf)), flat('Failed to compile ebnf grammar'))
    }
    if (format?.['type'] === 'structural_tag') {
      return await compiled(() => compileStructuralTag(format), flat('Failed to compile structural_tag grammar'))
    }
    if (format?.['type'] !== 'json_schema') return undefined
    const { schema } = format['json_schema'] as { schema: object }
    return await compiled(() => compileSchema(schema), flat('Failed to compile json_schema grammar'))
  },
}

const llamaRefusal = (message: string, code = 400) =>
  refusal(code, { error: { code, message, type: code === 400 ? 'invalid_request_error' : 'server_error' } })

/** Its notation is xgrammar's, but for characters beyond ASCII. */
export const llamacpp: HeldProfile = {
  name: 'llama.cpp',
  owner: 'llamacpp',
  questions: {
    '/props': {
      build_info: 'b9999',
      default_generation_settings: { n_ctx: 8192 },
      chat_template_caps: { supports_tools: false, supports_tool_calls: false },
    },
  },
  async hold(body) {
    const { grammar, response_format: format } = body
    if (grammar !== undefined && 'json_schema' in body)
      return llamaRefusal('Cannot use both json_schema and grammar', 500)
    if (grammar !== undefined && 'tools' in body) {
      return llamaRefusal('Cannot use custom grammar constraints with tools.')
    }
    if (grammar !== undefined) {
      const refused = llamaRefusal('Failed to initialize samplers: failed to parse grammar')
      const times = [...String(grammar).matchAll(/\{(?:\d+,)?(\d+)\}/g)].map(([, count]) => Number(count))
      return times.some((count) => count >= 2_000)
        ? refused
        : await compiled(() => compileEbnf(String(grammar)), refused)
    }
    const schema = ((format as Body | undefined)?.['json_schema'] as { schema?: object } | undefined)?.schema
    if (schema === undefined) return undefined
    return await compiled(() => compileSchema(schema), llamaRefusal('JSON schema conversion failed'))
  },
}

export const heldProfiles: readonly HeldProfile[] = [vllmOld, vllmFirst, vllmLatest, sglang, llamacpp]

/** A model that knows nothing: held to a grammar it says whatever that allows, else only this. */
export const prose = 'I would rather not.'

const most = 600

/** What the double says to a request. */
export async function sayHeld(
  profile: HeldProfile,
  body: Body,
  random: () => number,
  beginning?: string,
): Promise<Script> {
  const held = await profile.hold(body)
  if (held === undefined) return answer({ text: prose })
  if ('writes' in held) return held
  let said: string | undefined
  for (let tries = 0; tries < 20 && said === undefined; tries++) said = await held.walk(random, most, beginning)
  held.dispose()
  if (said === undefined) throw new Error(`${profile.name} comes to no end with ${JSON.stringify(body)}`)
  return answer({ text: [said.slice(0, 7), said.slice(7)] })
}
