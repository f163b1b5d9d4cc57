import { expect, test } from 'vitest'
import { plainTraits } from '../../src/upstreams/flavours/flavour.ts'
import { flavours } from '../../src/upstreams/flavours/registry.ts'
import { answer, refusal } from '../doubles/openai-compat.ts'
import { type Body, startStage, weather } from './stage.ts'

const fine = answer({ text: 'Fine.' })
const llamacpp = { '/props': { build_info: 'b9999', default_generation_settings: {} } }
const taken = {
  grammar: 'root ::= "a"',
  top_k: 5,
  min_p: 0.1,
  repeat_penalty: 1.1,
  chat_template_kwargs: { enable_thinking: false },
  cache_prompt: false,
}

test.each([true, false])('what a service is known to take reaches it, without tools, streaming: %s', async (stream) => {
  const { ask, bodies } = await startStage([fine], { questions: llamacpp })
  const { headers } = await ask({ stream, ...taken })
  expect(bodies()).toMatchObject([taken])
  expect(headers['x-dragoman-notice']).toBeUndefined()
})

test('it does with native tools, and a grammar with them is for the service to judge', async () => {
  const questions = {
    ...llamacpp,
    '/props': { ...llamacpp['/props'], chat_template_caps: { supports_tool_calls: true } },
  }
  const respond = (body: Body) =>
    'grammar' in body ? refusal(400, { error: { message: 'Cannot use custom grammar constraints with tools.' } }) : fine
  const { ask, bodies } = await startStage(respond, { questions })
  const { grammar: _, ...others } = taken
  expect((await ask({ ...others, tools: [weather] })).status).toBe(200)
  expect(bodies()).toMatchObject([others])
  const refused = await ask({ ...taken, tools: [weather] })
  expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining('custom grammar')])
})

test('tools in the prompt and a form for the whole answer do not go together: the calls win, and it is said', async () => {
  const { ask, bodies } = await startStage([fine], { questions: llamacpp, model: { tools: 'prompt' } })
  const { headers } = await ask({ ...taken, tools: [weather], logprobs: true })
  expect(bodies()[0]).toMatchObject({ top_k: 5 })
  expect(bodies()[0]).not.toHaveProperty('grammar')
  expect(headers['x-dragoman-notice']).toBe('field_dropped;fields="logprobs, grammar"')
})

test.each([true, false])(
  'what is not taken and would change the answer is named, in the log too, streaming: %s',
  async (stream) => {
    const { ask, bodies, nextRecord } = await startStage([fine])
    const logged = nextRecord()
    const { headers, status } = await ask({
      stream,
      top_k: 5,
      min_p: 0.1,
      metadata: {},
      strange: null,
      'böse\u0001': 1,
    })
    expect(status).toBe(200)
    expect(headers['x-dragoman-notice']).toBe('field_dropped;fields="top_k, min_p, b?se?"')
    expect((await logged).notes).toContain('field_dropped;fields="top_k, min_p, b?se?"')
    expect(bodies()[0]).not.toHaveProperty('top_k')
  },
)

test('what a flavour drops is named as well, unless it says nothing about the answer', async () => {
  const { ask } = await startStage([fine], { upstream: { flavour: 'groq' } })
  const { headers } = await ask({ logit_bias: { 5: 1 }, user: 'me', top_p: 0.5, reasoning_format: 'parsed' })
  expect(headers['x-dragoman-notice']).toBe('field_dropped;fields="logit_bias"')
})

test('what the config forwards is not dropped', async () => {
  const { ask, bodies } = await startStage([fine], { upstream: { forward: ['top_k'] } })
  expect((await ask({ top_k: 5 })).headers['x-dragoman-notice']).toBeUndefined()
  expect(bodies()).toMatchObject([{ top_k: 5 }])
})

test('a field a service refuses by name is named to the client', async () => {
  const minds = refusal(400, { error: { message: "Unknown parameter: 'seed'." } })
  const { ask } = await startStage([minds, fine])
  expect((await ask({ seed: 1 })).headers['x-dragoman-notice']).toBe('field_dropped;fields="seed"')
})

test('a field that goes by another name is not dropped', async () => {
  const message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
  const { ask, bodies, nextRecord } = await startStage([refusal(400, { error: { message } }), fine])
  const logged = nextRecord()
  expect((await ask({ max_tokens: 50 })).headers['x-dragoman-notice']).toBeUndefined()
  expect(bodies()[1]).toMatchObject({ max_completion_tokens: 50 })
  expect((await logged).notes).toContain('field_renamed')
})

test.each(flavours.map(({ name, traits }) => [name, traits] as const))(
  '%s takes nothing that it drops',
  (_, traits) => {
    const { takes, drops } = traits
    expect(takes === 'all' ? [] : takes.filter((field) => drops.includes(field))).toEqual([])
    expect(takes === 'all' ? 1 : new Set(takes).size).toBe(takes === 'all' ? 1 : takes.length)
    expect(plainTraits.takes).toEqual([])
  },
)
