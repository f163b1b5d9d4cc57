import { describe, expect, test } from 'vitest'
import { profiles } from '../../../test/doubles/profiles.ts'
import {
  type Flavour,
  guidedGrammar,
  guidedSchema,
  plainTraits,
  type Question,
  structuredGrammar,
  structuredSchema,
  structuredTag,
} from '../flavours/flavour.ts'
import { findFlavour, flavourOfHost, flavours, traitsOf } from '../flavours/registry.ts'
import { createIdentity } from './identity.ts'

type Answers = Readonly<Record<string, object | ((body: Record<string, unknown>) => object)>>

/** An identity whose questions are answered from a table; `models` is the path of the list inside. */
function identityOf(answers: Answers, options: { flavour?: string; url?: string; known?: readonly Flavour[] } = {}) {
  const asked: string[] = []
  let time = 0
  const ask = async ({ path, body }: Question, model: string) => {
    asked.push(path)
    const answer = answers[path]
    return (typeof answer === 'function' ? answer({ ...body?.(model) }) : answer) as never
  }
  const { url = 'http://127.0.0.1:8000/v1', flavour, known } = options
  const identity = createIdentity({ url: new URL(url), flavour, known, ask, now: () => time })
  return { identity, asked, pass: (ms: number) => (time += ms) }
}

describe('a service is known by what it tells', () => {
  test.each(
    profiles.filter(({ configured }) => configured !== true).map((profile) => [profile.name, profile] as const),
  )('%s', async (_, { flavour, questions, listed }) => {
    const { identity } = identityOf({ ...questions, '/models': { data: [{ id: 'm', ...listed }] } })
    await identity.identify()
    expect(identity.current().flavour.name).toBe(flavour)
  })
})

test.each([
  ['https://api.groq.com/openai/v1', 'groq'],
  ['https://api.mistral.ai/v1', 'mistral'],
  ['https://api.deepseek.com/beta', 'deepseek'],
  ['https://openrouter.ai/api/v1', 'openrouter'],
  ['https://api.openai.com/v1', 'openai'],
  ['https://api.poe.com/v1', 'poe-v1'],
])('%s is known by its address, and not asked', async (url, name) => {
  const { identity, asked } = identityOf({}, { url })
  await identity.identify()
  expect([identity.current().flavour.name, asked]).toEqual([name, []])
})

test('what the config says counts more than the address', () => {
  const { identity } = identityOf({}, { url: 'https://api.openai.com/v1', flavour: 'vllm' })
  expect(identity.current().flavour.name).toBe('vllm')
})

test('a look-alike of a host is not that host', () => {
  expect(flavourOfHost('notopenrouter.ai')).toBeUndefined()
  expect(flavourOfHost('eu.openrouter.ai')?.name).toBe('openrouter')
})

test('one who answers nothing is asked again soon, one who was known much later', async () => {
  const silent = identityOf({})
  await silent.identity.identify()
  const questions = silent.asked.length
  await silent.identity.identify()
  expect(silent.asked.length).toBe(questions)
  silent.pass(30_000)
  await silent.identity.identify()
  expect(silent.asked.length).toBe(2 * questions)
  const known = identityOf({ '/models': { data: [{ owned_by: 'sglang' }] } })
  await known.identity.identify()
  known.pass(3_599_999)
  await known.identity.identify()
  expect(known.asked).toEqual(['/models'])
})

test.each([
  ['0.10.2', [guidedGrammar, guidedSchema]],
  ['0.11.0', [structuredGrammar, structuredSchema]],
  ['0.11.2', [structuredGrammar, structuredTag, structuredSchema]],
  ['0.27.1rc1', [structuredGrammar, structuredTag, structuredSchema]],
])('vLLM %s is told in its own words what to hold an answer to', async (version, constraints) => {
  const { identity } = identityOf({ '/models': { data: [{ owned_by: 'vllm' }] }, '/version': { version } })
  await identity.identify()
  expect(identity.current().traits.constraints).toEqual(constraints)
})

test.each<[string, Answers, string | undefined]>([
  ['llamacpp', { '/props': { chat_template: 'plain', chat_template_tool_use: 'with tools' } }, 'with tools'],
  ['llamacpp', { '/props': { chat_template: 'plain' } }, 'plain'],
  ['llamacpp', { '/props': {} }, undefined],
  ['ollama', { '/api/show': { template: '{{ .Prompt }}', capabilities: [] } }, '{{ .Prompt }}'],
])('%s tells the chat template of a model', async (flavour, answers, template) => {
  expect((await identityOf(answers, { flavour }).identity.able('m')).template).toBe(template)
})

const toolsOf: readonly [string, Answers, string, string][] = [
  ['sglang', { '/model_info': { tool_call_parser: 'qwen25' } }, 'm', 'yes'],
  ['sglang', { '/model_info': { tool_call_parser: null } }, 'm', 'no'],
  ['sglang', { '/model_info': {} }, 'm', 'unknown'],
  ['llamacpp', { '/props': { chat_template_caps: { supports_tools: true, supports_tool_calls: true } } }, 'm', 'yes'],
  ['llamacpp', { '/props': { chat_template_caps: { supports_tools: true, supports_tool_calls: false } } }, 'm', 'no'],
  ['llamacpp', { '/props': {} }, 'm', 'unknown'],
  [
    'ollama',
    { '/api/show': ({ model }) => ({ capabilities: model === 'm' ? ['completion', 'tools'] : [] }) },
    'm',
    'yes',
  ],
  ['ollama', { '/api/show': { capabilities: ['completion'] } }, 'm', 'no'],
  [
    'lmstudio',
    { '/api/v1/models': { models: [{ key: 'm', capabilities: { trained_for_tool_use: true } }] } },
    'm',
    'yes',
  ],
  [
    'lmstudio',
    { '/api/v1/models': { models: [{ key: 'm', capabilities: { trained_for_tool_use: false } }] } },
    'm',
    'no',
  ],
  ['lmstudio', { '/api/v1/models': { models: [] } }, 'm', 'unknown'],
  ['openrouter', { '/models': { data: [{ id: 'a/m', supported_parameters: ['tools'] }] } }, 'a/m', 'yes'],
  ['openrouter', { '/models': { data: [{ id: 'a/m', supported_parameters: ['stop'] }] } }, 'a/m', 'no'],
  ['vllm', {}, 'm', 'unknown'],
  ['mistral', {}, 'm', 'yes'],
  ['ollama', {}, 'm', 'unknown'],
]

test.each(toolsOf)('%s that tells %j of %s: native tools %s', async (flavour, answers, model, expected) => {
  expect(await identityOf(answers, { flavour }).identity.able(model)).toMatchObject({ nativeTools: expected })
})

test.each<[string, Parameters<typeof identityOf>[0], object]>([
  ['ollama', { '/api/show': { capabilities: ['completion', 'vision'] } }, { vision: true, thinking: false }],
  ['ollama', { '/api/show': { capabilities: ['tools', 'thinking'] } }, { vision: false, thinking: true }],
  ['llamacpp', { '/props': { modalities: { vision: true, audio: false } } }, { vision: true }],
  ['lmstudio', { '/api/v1/models': { models: [{ key: 'm', capabilities: { vision: false } }] } }, { vision: false }],
  [
    'openrouter',
    {
      '/models': {
        data: [{ id: 'm', architecture: { input_modalities: ['text', 'image'] }, supported_parameters: ['reasoning'] }],
      },
    },
    { vision: true, thinking: true },
  ],
  ['ollama', {}, {}],
  ['vllm', {}, {}],
])('%s that tells %j: what else the model can do', async (flavour, answers, expected) => {
  const { nativeTools: _, ...abilities } = await identityOf(answers, { flavour }).identity.able('m')
  expect(abilities).toEqual(expected)
})

test('a flavour is one record', async () => {
  const nimbus: Flavour = {
    name: 'nimbus',
    hosts: ['nimbus.example'],
    fingerprints: [{ path: '/whoami', fits: (answer) => answer['product'] === 'nimbus' }],
    tools: { path: '/whoami', read: ({ tools }) => (tools === true ? 'yes' : 'no') },
    traits: { ...plainTraits, maxTokens: 'max_completion_tokens', toolChoice: 'any' },
  }
  const known = [nimbus, ...flavours]
  expect(flavourOfHost('eu.nimbus.example', known)).toBe(nimbus)
  const { identity } = identityOf({ '/whoami': { product: 'nimbus', tools: true } }, { known })
  await identity.identify()
  expect(identity.current().traits).toBe(nimbus.traits)
  expect(await identity.able('m')).toMatchObject({ nativeTools: 'yes' })
})

test('names are told apart', () => {
  expect(new Set(flavours.map(({ name }) => name)).size).toBe(flavours.length)
  expect(findFlavour('nothing')).toBeUndefined()
  const [flavour] = flavours
  if (flavour !== undefined) expect(traitsOf(flavour, undefined)).toBe(flavour.traits)
})
