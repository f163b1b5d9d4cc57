import { describe, expect, test } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { inUsualOrder, type Message } from '../../protocol/message.ts'
import type { ToolChoice } from '../../protocol/tool.ts'
import {
  type ConstraintForm,
  ebnfField,
  ebnfFormat,
  gbnfField,
  guidedGrammar,
  guidedSchema,
  plainTraits,
  schemaFormat,
  structuredGrammar,
  structuredSchema,
  structuredTag,
  type Traits,
  tagFormat,
} from '../flavours/flavour.ts'
import type { Constraint, UpstreamRequest } from '../upstream.ts'
import { type BodyForm, type Forward, toOpenAiBody } from './body.ts'

const bare: UpstreamRequest = { model: 'm', messages: [], tools: [], sampling: {}, extra: {} }
const lookup = {
  kind: 'function',
  name: 'lookup',
  description: 'Looks up',
  parameters: { type: 'object' },
  strict: true,
} as const
const free = { kind: 'custom', name: 'free', description: 'Any text' } as const

/** A service that takes the text of custom tools. */
const customTools: BodyForm = { traits: { ...plainTraits, customTools: true } }

test('a bare request is the model, the messages and the stream, and nothing else', () => {
  expect(toOpenAiBody(bare)).toEqual({
    model: 'm',
    messages: [],
    stream: true,
    stream_options: { include_usage: true },
  })
})

describe('messages', () => {
  const call = { id: 'c1', kind: 'function', name: 'lookup', arguments: '{"q":1}' } as const
  const typed = { id: 'c2', kind: 'custom', name: 'free', arguments: 'text' } as const
  const cases: [string, Message, Json][] = [
    ['system', { role: 'system', content: 'Be brief' }, { role: 'system', content: 'Be brief' }],
    [
      'text parts become one string',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        name: 'ann',
      },
      { role: 'user', content: 'a\nb', name: 'ann' },
    ],
    [
      'images and foreign parts stay parts',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', url: 'data:image/png;base64,AA', detail: 'low' },
          { type: 'image', url: 'https://x/y.png' },
          { type: 'other', value: { type: 'input_audio', input_audio: { data: 'AA' } } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
          { type: 'input_audio', input_audio: { data: 'AA' } },
        ],
      },
    ],
    [
      'an assistant that only called has no content',
      { role: 'assistant', content: inUsualOrder({ calls: [call, typed], reasoning: 'hm' }) },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{"q":1}' } },
          { id: 'c2', type: 'custom', custom: { name: 'free', input: 'text' } },
        ],
      },
    ],
    [
      'an assistant that said nothing keeps a string',
      { role: 'assistant', content: '' },
      { role: 'assistant', content: '' },
    ],
    [
      'a result carries its call id, as a string',
      { role: 'tool', callId: 'c1', content: [{ type: 'text', text: '42' }] },
      { role: 'tool', tool_call_id: 'c1', content: '42' },
    ],
  ]
  test.each(cases)('%s', (_, message, expected) => {
    expect(toOpenAiBody({ ...bare, messages: [message] }, customTools)['messages']).toEqual([expected])
  })
})

test('reasoning goes back only where it is forwarded', () => {
  const messages: Message[] = [{ role: 'assistant', content: inUsualOrder({ content: 'x', reasoning: 'hm' }) }]
  const body = toOpenAiBody({ ...bare, messages }, { forward: ['reasoning_content'] })
  expect(body['messages']).toEqual([{ role: 'assistant', content: 'x', reasoning_content: 'hm' }])
})

describe('tool choice', () => {
  const cases: [ToolChoice, Json][] = [
    [{ mode: 'auto' }, 'auto'],
    [{ mode: 'none' }, 'none'],
    [{ mode: 'required' }, 'required'],
    [
      { mode: 'named', name: 'lookup' },
      { type: 'function', function: { name: 'lookup' } },
    ],
    [
      { mode: 'named', name: 'free' },
      { type: 'custom', custom: { name: 'free' } },
    ],
    [
      { mode: 'allowed', required: true, names: ['lookup'] },
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'lookup' } }] },
      },
    ],
  ]
  test.each(cases)('%j', (toolChoice, expected) => {
    const body = toOpenAiBody({ ...bare, tools: [lookup, free], toolChoice, parallelCalls: false }, customTools)
    expect(body['tool_choice']).toEqual(expected)
    expect(body['parallel_tool_calls']).toBe(false)
    expect(body['tools']).toEqual([
      {
        type: 'function',
        function: { name: 'lookup', description: 'Looks up', parameters: { type: 'object' }, strict: true },
      },
      { type: 'custom', custom: { name: 'free', description: 'Any text' } },
    ])
  })
  test.each<[Traits['strict'], ToolChoice | undefined, unknown]>([
    ['asked', { mode: 'required' }, [true, undefined]],
    ['forced', { mode: 'required' }, [true, true]],
    ['forced', { mode: 'named', name: 'plain' }, [true, true]],
    ['forced', undefined, [true, undefined]],
    ['never', { mode: 'required' }, [undefined, undefined]],
  ])('tools are marked strict where that is %s and the choice %j', (strict, toolChoice, expected) => {
    const { strict: _, ...plain } = { ...lookup, name: 'plain' }
    const asked = { ...bare, tools: [lookup, plain], ...(toolChoice && { toolChoice }) }
    const body = toOpenAiBody(asked, { traits: { ...plainTraits, strict, toolChoice: 'objects' } })
    expect((body['tools'] as { function: { strict?: boolean } }[]).map((tool) => tool.function.strict)).toEqual(
      expected,
    )
  })
  test('nothing about tools is sent without tools', () => {
    const body = toOpenAiBody({ ...bare, toolChoice: { mode: 'none' }, parallelCalls: true })
    expect(Object.keys(body)).toEqual(['model', 'messages', 'stream', 'stream_options'])
  })
})

test('sampling and limits have their wire names, and the number of choices is never sent', () => {
  const body = toOpenAiBody({
    ...bare,
    sampling: {
      temperature: 0,
      topP: 0.5,
      presencePenalty: 1,
      frequencyPenalty: -1,
      seed: 3,
      logitBias: { '5': 1 },
      logprobs: true,
      topLogprobs: 2,
    },
    maxTokens: 9,
    stop: ['END'],
    responseFormat: { type: 'json_object' },
    reasoning: { effort: 'low' },
    user: 'u',
  })
  expect(body).toEqual({
    model: 'm',
    messages: [],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    top_p: 0.5,
    presence_penalty: 1,
    frequency_penalty: -1,
    seed: 3,
    logit_bias: { '5': 1 },
    logprobs: true,
    top_logprobs: 2,
    max_tokens: 9,
    stop: ['END'],
    response_format: { type: 'json_object' },
    reasoning_effort: 'low',
    user: 'u',
  })
})

describe('fields that are not translated', () => {
  const extra = { top_k: 5, min_p: 0.1, n: 3, stream: false, messages: [] }
  const cases: [string, Forward, Json][] = [
    ['are kept back by default', [], {}],
    ['go on when named', ['top_k', 'n'], { top_k: 5 }],
    ['go on all', 'all', { top_k: 5, min_p: 0.1 }],
  ]
  test.each(cases)('%s', (_, forward, expected) => {
    const { model, messages, stream, stream_options, ...rest } = toOpenAiBody({ ...bare, extra }, { forward })
    expect(rest).toEqual(expected)
    expect([model, messages, stream, stream_options]).toEqual(['m', [], true, { include_usage: true }])
  })
})

function bodyFor(request: Partial<UpstreamRequest>, traits: Partial<Traits>, recall?: BodyForm['recall']) {
  return toOpenAiBody({ ...bare, ...request }, { traits: { ...plainTraits, ...traits }, ...(recall && { recall }) })
}

describe('a service gets', () => {
  const other = { kind: 'function', name: 'other' } as const
  const named = { type: 'function', function: { name: 'lookup' } }
  const wishes: readonly [Traits['toolChoice'], ToolChoice, Json | undefined, number][] = [
    ['openai', { mode: 'named', name: 'lookup' }, named, 2],
    ['objects', { mode: 'named', name: 'lookup' }, named, 2],
    ['objects', { mode: 'allowed', required: true, names: ['lookup'] }, 'required', 1],
    ['words', { mode: 'named', name: 'lookup' }, 'required', 1],
    ['words', { mode: 'allowed', required: false, names: ['lookup'] }, 'auto', 1],
    ['any', { mode: 'required' }, 'any', 2],
    ['any', { mode: 'named', name: 'lookup' }, 'any', 1],
    ['any', { mode: 'auto' }, 'auto', 2],
    ['name', { mode: 'named', name: 'lookup' }, 'lookup', 2],
    ['ignored', { mode: 'required' }, undefined, 2],
    ['ignored', { mode: 'named', name: 'lookup' }, undefined, 1],
  ]
  test.each(wishes)('by %s the choice %j as %j, with %d tools', (toolChoice, choice, expected, count) => {
    const body = bodyFor({ tools: [lookup, other], toolChoice: choice }, { toolChoice })
    expect([body['tool_choice'], (body['tools'] as Json[]).length]).toEqual([expected, count])
  })

  const schema = { type: 'object' }
  const tag = { type: 'structural_tag', format: { type: 'any_text' } }
  const held: Readonly<Record<Constraint['kind'], Constraint>> = {
    gbnf: { kind: 'gbnf', grammar: 'root ::= "a"' },
    ebnf: { kind: 'ebnf', grammar: 'root ::= "b"' },
    'structural-tag': { kind: 'structural-tag', tag },
    'json-schema': { kind: 'json-schema', schema },
  }
  const forms: readonly [ConstraintForm, object][] = [
    [gbnfField, { grammar: 'root ::= "a"' }],
    [ebnfField, { ebnf: 'root ::= "b"' }],
    [ebnfFormat, { response_format: { type: 'ebnf', ebnf: 'root ::= "b"' } }],
    [guidedGrammar, { guided_grammar: 'root ::= "b"' }],
    [structuredGrammar, { structured_outputs: { grammar: 'root ::= "b"' } }],
    [tagFormat, { response_format: tag }],
    [structuredTag, { structured_outputs: { structural_tag: JSON.stringify(tag) } }],
    [schemaFormat, { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }],
    [structuredSchema, { structured_outputs: { json: schema } }],
    [guidedSchema, { guided_json: schema }],
  ]
  test.each(forms)('what its answer is held to, by $kind: %j', (form, expected) => {
    const request = { constraint: held[form.kind] }
    const { model, messages, stream, stream_options, ...rest } = bodyFor(request, { constraints: [form] })
    expect(rest).toEqual(expected)
    expect(Object.keys(bodyFor(request, { constraints: [] }))).toEqual([
      'model',
      'messages',
      'stream',
      'stream_options',
    ])
  })

  test('the beginning of its answer, in its way', () => {
    const request = { messages: [{ role: 'user', content: 'Hi' } as const], prefill: '<call>' }
    expect(bodyFor(request, {})['messages']).toHaveLength(1)
    const flagged = bodyFor(request, { prefill: { by: 'trailing', fields: { continue_final_message: true } } })
    expect(flagged['continue_final_message']).toBe(true)
    expect((flagged['messages'] as Json[]).at(-1)).toEqual({ role: 'assistant', content: '<call>' })
    const marked = bodyFor(request, { prefill: { by: 'trailing', mark: { prefix: true } } })
    expect((marked['messages'] as Json[]).at(-1)).toEqual({ role: 'assistant', content: '<call>', prefix: true })
  })

  test('ids in its form, the same for a call and its result', () => {
    const call = { id: 'call_0123456789', kind: 'function', name: 'lookup', arguments: '{}' } as const
    const messages: Message[] = [
      { role: 'assistant', content: inUsualOrder({ calls: [call, { ...call, id: 'abcDEF123' }] }) },
      { role: 'tool', callId: call.id, content: 'a' },
      { role: 'tool', callId: 'abcDEF123', content: 'b' },
    ]
    const [asked, first, second] = bodyFor({ messages }, { callIds: 'nine-alphanumerics' })['messages'] as never as [
      { tool_calls: { id: string }[] },
      { tool_call_id: string },
      { tool_call_id: string },
    ]
    expect(asked.tool_calls.map(({ id }) => id)).toEqual([first.tool_call_id, second.tool_call_id])
    expect(first.tool_call_id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(second.tool_call_id).toBe('abcDEF123')
  })

  test('the thoughts before its calls, where it wants them back', () => {
    const turn = (id: string, reasoning?: string): Message => ({
      role: 'assistant',
      content: inUsualOrder({ reasoning, calls: [{ id, kind: 'function', name: 'lookup', arguments: '{}' }] }),
    })
    const thoughts = (reasoning: Traits['reasoning'], messages: Message[]) =>
      (
        bodyFor({ messages }, { reasoning }, (id) => (id === 'b' ? { thought: 'B' } : undefined))[
          'messages'
        ] as never as {
          reasoning_content?: string
        }[]
      ).map((message) => message.reasoning_content)
    expect(thoughts('dropped', [turn('a', 'A'), turn('b')])).toEqual([undefined, undefined])
    expect(thoughts('remembered', [turn('a', 'A'), turn('b'), turn('c')])).toEqual(['A', 'B', ''])
    expect(thoughts('remembered', [turn('c')])).toEqual([undefined])
  })

  test('no more and no other fields than it takes', () => {
    const request = {
      messages: [{ role: 'user', content: 'Hi', name: 'Ann' } as const],
      tools: [lookup],
      parallelCalls: false,
      maxTokens: 5,
      stop: ['1', '2', '3'],
      user: 'me',
    }
    const body = bodyFor(request, {
      maxTokens: 'max_completion_tokens',
      stops: 2,
      usage: 'unasked',
      names: false,
      strict: 'never',
      parallelCalls: false,
      drops: ['user'],
    })
    expect(body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      tools: [
        { type: 'function', function: { name: 'lookup', description: 'Looks up', parameters: { type: 'object' } } },
      ],
      max_completion_tokens: 5,
      stop: ['1', '2'],
    })
  })

  test('no thoughts before an answer that must not have any, and the client’s other wishes', () => {
    const thinkingOff = { chat_template_kwargs: { enable_thinking: false }, reasoning_effort: 'none' }
    const wishes = {
      reasoning: { effort: 'high' },
      extra: { chat_template_kwargs: { enable_thinking: true, tone: 'dry' } },
    }
    const forwarded = { forward: ['chat_template_kwargs'], traits: { ...plainTraits, thinkingOff } }
    expect(toOpenAiBody({ ...bare, ...wishes, thinks: false }, forwarded)).toMatchObject({
      chat_template_kwargs: { enable_thinking: false, tone: 'dry' },
      reasoning_effort: 'none',
    })
    expect(toOpenAiBody({ ...bare, ...wishes }, forwarded)).toMatchObject({
      chat_template_kwargs: { enable_thinking: true, tone: 'dry' },
      reasoning_effort: 'high',
    })
  })
})
