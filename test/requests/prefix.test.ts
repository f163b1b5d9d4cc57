import { expect, test } from 'vitest'
import { findDialect } from '../../src/dialects/registry.ts'
import { readRequest as readMessages } from '../../src/doors/anthropic-messages/request/request.ts'
import { readRequest as readChat } from '../../src/doors/openai-chat/request/request.ts'
import { readRequest as readResponses } from '../../src/doors/openai-responses/request/request.ts'
import { textOf } from '../../src/protocol/message.ts'
import type { Request } from '../../src/protocol/request.ts'
import { withSearch } from '../../src/turn/prompt/offer/offer.ts'
import { prepare } from '../../src/turn/prompt/prepare.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createScripted } from '../turn/scripted.ts'
import { toolbox } from '../turn/toolbox.ts'

/**
 * What a server keeps of a prompt is of use to the next one as far as both are the same. Conversations of 20 turns, each shaped
 * as a client shapes its own: what moves, changes or comes in the middle is what was seen to.
 */

const turns = 20
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const names = ['read', 'write', 'search', 'run']
const instructions = 'You are a coding agent. Work carefully and say what you did. '.repeat(20)
const environment = 'The working directory is /work. The shell is bash. '.repeat(10)
const late = 'The date is now 2026-11-20, and the user has opened another file.'
const output = (turn: number): string => `line ${turn} of the file\n`.repeat(12)
const store = { get: async () => undefined, set: async () => undefined, delete: async () => undefined }
const until = (turn: number): readonly number[] => Array.from({ length: turn }, (_, index) => index)

type Shape = (turn: number) => Request | Promise<Request>

const chat: Shape = (turn) =>
  readChat({
    model: 'm',
    messages: [
      { role: 'system', content: instructions },
      {
        role: 'user',
        content: [
          { type: 'text', text: environment },
          { type: 'text', text: 'Do it.' },
        ],
      },
      ...until(turn).flatMap((n) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `c${n}`, type: 'function', function: { name: 'read', arguments: `{"path":"${n}"}` } }],
        },
        { role: 'tool', tool_call_id: `c${n}`, content: output(n) },
        ...(n === 9 ? [{ role: 'system', content: late }] : []),
      ]),
    ],
    tools: names.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
  }).request

/** Finds a tool on the way, is interrupted and resumed: the client then tells its surroundings anew. */
const codex: Shape = async (turn) => {
  const found = { type: 'function', name: 'create_issue', parameters: schema, defer_loading: true }
  const input = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: instructions }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: environment }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Do it.' }] },
    ...until(turn).flatMap((n): readonly object[] => {
      const ids = { call_id: `c${n}` }
      if (n === 4) {
        return [
          { type: 'tool_search_call', ...ids, execution: 'client', arguments: { query: 'issue' } },
          { type: 'tool_search_output', ...ids, tools: [{ type: 'namespace', name: 'mcp__srv', tools: [found] }] },
        ]
      }
      return [
        { type: 'reasoning', id: `rs_${turn}_${n}`, summary: [{ type: 'summary_text', text: `Step ${n}.` }] },
        ...(n % 3 === 2
          ? [
              { type: 'custom_tool_call', id: `ctc_${turn}_${n}`, ...ids, name: 'patch', input: `*** ${n}\n+x\n` },
              { type: 'custom_tool_call_output', ...ids, output: 'Done!' },
            ]
          : [
              { type: 'function_call', ...ids, name: 'run', arguments: `{"path":"${n}"}` },
              { type: 'function_call_output', ...ids, output: output(n) },
            ]),
        ...(n === 9
          ? [
              { type: 'message', role: 'developer', content: [{ type: 'input_text', text: late }] },
              { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
            ]
          : []),
      ]
    }),
  ]
  const tools = [
    ...names.map((name) => ({ type: 'function', name, parameters: schema })),
    { type: 'custom', name: 'patch' },
    { type: 'tool_search', execution: 'client' },
    { type: 'web_search' },
  ]
  const asked = { model: 'm', input, tools }
  return (await readResponses(asked, { store, limits: { tools: 512 }, models: async () => [] })).request
}

/** Its billing line changes, its cache marks move, a message becomes a string, tools are found, and instructions come. */
const claudeCode: Shape = (turn) => {
  const cached = (n: number) => (n === turn - 1 ? { cache_control: { type: 'ephemeral' } } : {})
  const told = turn === 0 ? [{ type: 'text', text: environment, cache_control: { type: 'ephemeral' } }] : environment
  const isFound = turn > 4
  return readMessages(
    {
      model: 'm',
      max_tokens: 1000,
      system: [
        { type: 'text', text: `x-anthropic-billing-header: cc_version=2.1.${turn};` },
        { type: 'text', text: instructions, cache_control: { type: 'ephemeral' } },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Do it.' }] },
        { role: 'system', content: told },
        ...until(turn).flatMap((n) => {
          const id = `toolu_${n}`
          const isSearch = n === 4
          const input = isSearch ? { query: 'select:WebFetch' } : { path: String(n) }
          const content = isSearch ? [{ type: 'tool_reference', tool_name: 'WebFetch' }] : output(n)
          return [
            {
              role: 'assistant',
              content: [
                { type: 'thinking', thinking: 'Hm.', signature: '' },
                { type: 'tool_use', id, name: isSearch ? 'ToolSearch' : 'read', input },
              ],
            },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...cached(n) }] },
            ...(n === 9 ? [{ role: 'system', content: late }] : []),
          ]
        }),
      ],
      tools: [
        ...names.slice(0, 2).map((name) => ({ name, input_schema: schema })),
        ...(isFound ? [{ name: 'WebFetch', input_schema: schema, defer_loading: true }] : []),
        ...names.slice(2).map((name) => ({ name, input_schema: schema })),
        { name: 'ToolSearch', input_schema: { type: 'object', properties: { query: { type: 'string' } } } },
      ],
    },
    { toolsLimit: 512 },
  ).request
}

/** More tools than are told: calls of those that a search found, and new subjects on the way. */
const manyTools: Shape = (turn) =>
  readChat({
    model: 'm',
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: 'What is the weather in Rome?' },
      ...until(turn).flatMap((n) => {
        const { name = '' } = toolbox[(n * 7) % toolbox.length] ?? {}
        return [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `c${n}`, type: 'function', function: { name, arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: `c${n}`, content: output(n) },
          ...(n % 6 === 5
            ? [{ role: 'user', content: `And now, with ${toolbox[n]?.name}: ${toolbox[n * 3]?.description}` }]
            : []),
          ...(n === 9 ? [{ role: 'system', content: late }] : []),
        ]
      }),
    ],
    tools: toolbox.map(({ kind, ...tool }) => ({ type: kind, function: tool })),
  }).request

const shapes: readonly (readonly [string, Shape])[] = [
  ['OpenCode and others by chat completions', chat],
  ['Codex', codex],
  ['Claude Code', claudeCode],
  ['more tools than the budget', manyTools],
]

function promptOf(request: Request, name: string, template: { system: boolean; alternate: boolean }): string {
  const dialect = findDialect(name)
  const settings = { ...defaultSettings('m', ['s']), template, reminder: 'off' as const, toolsBudget: 3_000 }
  const { messages } = prepare(withSearch(request, settings, undefined), {
    mode: 'prompt',
    settings,
    upstream: createScripted([]),
    ...(dialect && { dialect }),
  }).request
  return messages.map(({ role, content }) => `\n<|${role}|>${textOf(content)}`).join('')
}

function commonLength(first: string, second: string): number {
  let length = 0
  while (length < first.length && first[length] === second[length]) length += 1
  return length
}

const variants = [
  ['hermes', true],
  ['hermes', false],
  ['roo-xml', true],
] as const

test.each(shapes.flatMap(([name, shape]) => variants.map((variant) => [name, ...variant, shape] as const)))(
  '%s (in %s, system role: %s): each prompt begins with the one before',
  async (_name, dialect, system, shape) => {
    let before = ''
    for (let turn = 0; turn <= turns; turn++) {
      const prompt = promptOf(await shape(turn), dialect, { system, alternate: !system })
      expect(commonLength(before, prompt), `turn ${turn}`).toBe(before.length)
      before = prompt
    }
    expect(before).toContain(late)
    expect(before.includes('find_tools')).toBe(shape === manyTools)
  },
)
