import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { checkArguments } from '../../src/schema/check.ts'
import { compileParameters } from '../../src/schema/compile.ts'
import { createRandom } from '../constrain/random.ts'
import {
  type HeldProfile,
  heldProfiles,
  llamacpp,
  prose,
  sayHeld,
  sglang,
  vllmFirst,
  vllmLatest,
  vllmOld,
} from '../doubles/held.ts'
import { answer, json, type Script } from '../doubles/openai-compat.ts'
import { type Body, startStage } from './stage.ts'

const parameters = {
  type: 'object',
  properties: { room: { enum: ['den', 'hall'] }, level: { type: 'integer', minimum: 0, maximum: 9 } },
  required: ['room'],
  additionalProperties: false,
}
const tools = ['set_lamp', 'read_lamp'].map((name) => ({ type: 'function', function: { name, parameters } }))
const timeout = 30_000
const dialects = ['hermes', 'qwen3-coder', 'pythonic']

interface Options {
  readonly dialect?: string
  readonly constrain?: 'auto' | 'always' | 'never'
  /** What the service does before it answers as it would. */
  readonly before?: (body: Body) => Script | undefined
  readonly questions?: HeldProfile['questions']
}

async function stageOf(profile: HeldProfile, options: Options = {}) {
  const { dialect = 'hermes', constrain = 'auto', before = () => undefined, questions = {} } = options
  const random = createRandom(3)
  const listed = json({ data: [{ id: 'm', owned_by: profile.owner }] })
  return await startStage((body) => before(body) ?? sayHeld(profile, body, random, `\n${begun[dialect] ?? ''}`), {
    model: { tools: 'prompt', dialect, constrain },
    others: ['other'],
    questions: { '/v1/models': listed, ...profile.questions, ...questions },
  })
}

const begun: Readonly<Record<string, string>> = {
  hermes: '<tool_call>',
  'qwen3-coder': '<tool_call>\n<function=',
  pythonic: '[',
}

function faultsOf(said: JsonObject): readonly string[] {
  const { tool_calls: calls = [] } = said as { tool_calls?: { function: { name: string; arguments: string } }[] }
  return calls.flatMap(({ function: { name, arguments: text } }) =>
    tools.some((tool) => tool.function.name === name)
      ? checkArguments(compileParameters(parameters), JSON.parse(text)).map(({ message }) => message)
      : [name],
  )
}

/** How each of them is told, for a call that is required. */
const required: Readonly<Record<string, (body: Body) => unknown>> = {
  [vllmOld.name]: (body) => body['guided_grammar'],
  [vllmFirst.name]: (body) => (body['structured_outputs'] as Body)['grammar'],
  [vllmLatest.name]: (body) => (body['structured_outputs'] as Body)['grammar'],
  [sglang.name]: (body) => body['ebnf'],
  [llamacpp.name]: (body) => body['grammar'],
}

describe.each(heldProfiles)('$name', { timeout }, (profile) => {
  test.each(dialects)(
    'holds a call that is required to the grammar of %s, whatever its model would say',
    async (dialect) => {
      const { ask, bodies } = await stageOf(profile, { dialect })
      for (let run = 0; run < 4; run++) {
        const { json: said, headers } = await ask({ tools, tool_choice: 'required' })
        const [{ message, finish_reason: finish }] = said.choices
        expect([finish, message.content, faultsOf(message)]).toEqual(['tool_calls', null, []])
        expect(headers['x-dragoman-constraint']).toBe(profile === llamacpp ? 'gbnf' : 'ebnf')
      }
      expect(required[profile.name]?.(bodies()[0] ?? {})).toMatch(/^root ::= /)
    },
  )

  test.each([
    ['a named tool', { type: 'function', function: { name: 'read_lamp' } }],
    ['an allowed tool', { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [tools[1]] } }],
  ])('holds the answer to %s, streamed or not', async (_, choice) => {
    const { ask } = await stageOf(profile)
    for (const stream of [false, true]) {
      const { text, headers } = await ask({ tools, tool_choice: choice, parallel_tool_calls: false, stream })
      expect([...text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name)).toEqual(['read_lamp'])
      expect(text).toMatch(/"finish_reason":"(?:tool_calls|stop)"/)
      expect(headers['x-dragoman-constraint']).toBe(profile === llamacpp ? 'gbnf' : 'ebnf')
    }
  })

  test('is not asked for what it does not know', async () => {
    const { ask, bodies } = await stageOf(profile)
    await ask({ tools, tool_choice: 'required' })
    const told = Object.keys(bodies()[0] ?? {})
    expect(told.filter((field) => /grammar|ebnf|guided|structured|response_format/.test(field))).toHaveLength(1)
  })

  test('is told nothing with `constrain: never`', async () => {
    const { ask, bodies } = await stageOf(profile, { constrain: 'never', before: () => answer({ text: prose }) })
    const { headers } = await ask({ tools, tool_choice: 'required' })
    expect(headers['x-dragoman-constraint']).toBe('prefill')
    expect(Object.keys(bodies()[0] ?? {}).join()).not.toMatch(/grammar|ebnf|guided|structured|response_format/)
  })

  test('falls back on a schema where it refuses the grammar, before anything is said, and remembers it', async () => {
    const isGrammar = (body: Body) => /::=/.test(JSON.stringify(body))
    const refuse = (body: Body) => (isGrammar(body) ? refusalOf(profile) : undefined)
    const { ask, bodies } = await stageOf(profile, { before: refuse })
    for (const stream of [false, true]) {
      const { text, headers } = await ask({ tools, tool_choice: 'required', stream })
      expect(text).toContain('"tool_calls"')
      expect(headers['x-dragoman-constraint']).toBe('json-schema')
    }
    const asked = profile === vllmLatest || profile === sglang ? 2 : 1
    expect(bodies().filter(isGrammar).length).toBe(asked)
    const { headers } = await ask({ model: 'other', tools, tool_choice: 'required' })
    expect(headers['x-dragoman-constraint']).toBe('json-schema')
    expect(bodies().filter(isGrammar).length, 'another model is another matter').toBe(2 * asked)
  })
})

function refusalOf(profile: HeldProfile): Script {
  return {
    ...answer(),
    status: 400,
    writes: [JSON.stringify({ error: { message: `${profile.name}: grammar error` } })],
  }
}

describe('where the model may choose', { timeout }, () => {
  test.each([
    [vllmOld, undefined],
    [vllmFirst, undefined],
    [vllmLatest, 'structural-tag'],
    [sglang, 'structural-tag'],
    [llamacpp, 'gbnf'],
  ] as const)('$name is held to what costs it little: %s', async (profile, constraint) => {
    const { ask } = await stageOf(profile)
    for (let run = 0; run < 4; run++) {
      const { json: said, headers } = await ask({ tools })
      expect([headers['x-dragoman-constraint'], faultsOf(said.choices[0].message)]).toEqual([constraint, []])
    }
  })

  test.each(heldProfiles)('$name always is with `constrain: always`', async (profile) => {
    const { ask } = await stageOf(profile, { constrain: 'always' })
    const { json: said, headers } = await ask({ tools })
    expect([headers['x-dragoman-constraint'], faultsOf(said.choices[0].message)]).toEqual([
      profile === llamacpp ? 'gbnf' : 'ebnf',
      [],
    ])
  })

  test.each(heldProfiles)('$name answers with calls or what fits a response format', async (profile) => {
    const schema = {
      type: 'object',
      properties: { mood: { enum: ['fine', 'bad'] } },
      required: ['mood'],
      additionalProperties: false,
    }
    const { ask } = await stageOf(profile)
    const kinds = new Set<string>()
    for (let run = 0; run < 12; run++) {
      const format = { type: 'json_schema', json_schema: { name: 'x', schema } }
      const { json: said } = await ask({ tools, response_format: format })
      const [{ message }] = said.choices
      kinds.add(message.content === null ? 'calls' : 'answer')
      expect(faultsOf(message)).toEqual([])
      if (message.content !== null) expect(['fine', 'bad']).toContain(JSON.parse(message.content).mood)
    }
    expect([...kinds].sort()).toEqual(['answer', 'calls'])
  })
})

test('a grammar the service does not know by name is not quietly left out', { timeout }, async () => {
  const unknown = (body: Body) =>
    'grammar' in body
      ? { ...answer(), status: 400, writes: [JSON.stringify({ error: { message: "Unknown parameter: 'grammar'." } })] }
      : undefined
  const { ask, bodies } = await stageOf(llamacpp, { before: unknown })
  const { headers } = await ask({ tools, tool_choice: 'required' })
  expect(headers['x-dragoman-constraint']).toBe('json-schema')
  expect(bodies()).toHaveLength(2)
})

test('a grammar of the client stays the only one', { timeout }, async () => {
  const { ask, bodies } = await stageOf(llamacpp, { before: () => answer({ text: prose }) })
  const { headers } = await ask({ tools, grammar: 'root ::= "yes"' })
  expect(headers['x-dragoman-constraint']).toBeUndefined()
  expect(headers['x-dragoman-notice']).toContain('field_dropped')
  expect(bodies()[0]).not.toHaveProperty('grammar')
  await ask({ grammar: 'root ::= "yes"' })
  expect(bodies()[1]).toMatchObject({ grammar: 'root ::= "yes"' })
})

test.each([
  ['always', '<think>\n', '<think>\n', {}, true],
  ['unless told not to', '<think>\n', '<think>\n\n</think>\n\n', {}, true],
  ['unless told not to, and it is', '<think>\n', '<think>\n\n</think>\n\n', { reasoning_effort: 'none' }, false],
  ['never', '', '', {}, false],
])('a prompt that opens a thought %s', { timeout }, async (_, thinking, thoughtless, asked, isIn) => {
  const questions = {
    '/apply-template': (body: Body) => ({
      prompt: `<|im_start|>assistant\n${'chat_template_kwargs' in body ? thoughtless : thinking}`,
    }),
  }
  const { ask, bodies } = await stageOf(llamacpp, { questions, before: () => answer({ text: prose }) })
  await ask({ tools, tool_choice: 'required', ...asked })
  expect(String(bodies()[0]?.['grammar']).includes('</think>')).toBe(isIn)
  expect(bodies()[0]?.['reasoning_effort']).toBe(isIn ? undefined : 'none')
})
