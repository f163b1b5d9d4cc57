import { describe, expect, test } from 'vitest'
import { anthropicMessages } from '../../src/doors/anthropic-messages/door.ts'
import type { Door } from '../../src/doors/door.ts'
import { openaiChat } from '../../src/doors/openai-chat/door.ts'
import { openaiResponses } from '../../src/doors/openai-responses/door.ts'
import { textOf } from '../../src/protocol/message.ts'
import type { UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { put } from './visit.ts'

/**
 * How much of a prompt a model server can take from the one before: conversations of twenty turns, made up in the shape in which
 * agents send them, in prompt mode. What moves in them from turn to turn (marks of caches, billing lines, instructions and tools
 * that come late, ids) must not move the prompt.
 */

const turns = 20
const words = (topic: string, count: number): string =>
  `${topic} is told here, in a sentence of some length. `.repeat(count).trim()
const file = (turn: number): string =>
  Array.from({ length: 30 }, (_, line) => `export const value${line} = ${turn * 31 + line}`).join('\n')
const parameters = {
  type: 'object',
  properties: { path: { type: 'string', description: words('The path', 3) }, limit: { type: 'integer' } },
  required: ['path'],
}

interface Client {
  readonly door: Door
  readonly path: string
  /** What it sends for its turn with this number. */
  readonly bodyOf: (turn: number) => object
}

/** The pieces of the turns before this one, and of this one. */
const upTo = <T>(turn: number, pieces: (one: number) => readonly T[]): readonly T[] =>
  Array.from({ length: turn + 1 }, (_, one) => pieces(one)).flat()

const functions = ['exec_command', 'write_stdin', 'view_image', 'update_plan'].map((name) => ({
  type: 'function',
  name,
  description: words(name, 4),
  strict: false,
  parameters,
}))
const found = {
  type: 'namespace',
  name: 'mcp__srv',
  description: 'A server.',
  tools: [{ ...functions[0], name: 'create' }],
}

const codex: Client = {
  door: openaiResponses,
  path: '/v1/responses',
  bodyOf: (turn) => ({
    model: 'model',
    store: false,
    tool_choice: 'auto',
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'thread',
    tools: [
      ...functions,
      { type: 'custom', name: 'apply_patch', description: 'Edits files.' },
      { type: 'tool_search', execution: 'client', description: 'Finds tools.' },
    ],
    input: [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: words('The work', 60) }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Please do it.' }] },
      ...upTo(turn - 1, (one): readonly object[] => {
        const id = `call_${one}`
        if (one === 6) {
          return [
            { type: 'tool_search_call', call_id: id, execution: 'client', arguments: { query: 'create' } },
            { type: 'tool_search_output', call_id: id, execution: 'client', status: 'completed', tools: [found] },
          ]
        }
        if (one === 11) {
          return [
            {
              type: 'message',
              role: 'assistant',
              id: `msg_${turn}_${one}`,
              phase: 'final_answer',
              content: [{ type: 'output_text', text: 'That is done.' }],
            },
            {
              type: 'message',
              role: 'developer',
              content: [{ type: 'input_text', text: words('A change of the rules', 6) }],
            },
            { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
          ]
        }
        const isPatch = one % 3 === 2
        return [
          {
            type: 'reasoning',
            id: `rs_${turn}_${one}`,
            summary: [{ type: 'summary_text', text: 'Hm.' }],
            encrypted_content: null,
          },
          isPatch
            ? {
                type: 'custom_tool_call',
                id: `ctc_${turn}_${one}`,
                call_id: id,
                name: 'apply_patch',
                input: `*** Begin Patch\n*** Add File: a${one}\n+x\n*** End Patch\n`,
              }
            : {
                type: 'function_call',
                call_id: id,
                name: 'exec_command',
                arguments: JSON.stringify({ path: `src/${one}.ts` }),
              },
          {
            type: isPatch ? 'custom_tool_call_output' : 'function_call_output',
            call_id: id,
            output: isPatch ? 'Done!' : file(one),
          },
        ]
      }),
    ],
  }),
}

const claudeTools = ['Bash', 'Read', 'Edit', 'ToolSearch'].map((name) => ({
  name,
  description: words(name, 6),
  input_schema: parameters,
}))
const loaded = { name: 'WebFetch', description: words('WebFetch', 5), input_schema: parameters, defer_loading: true }

const claudeCode: Client = {
  door: anthropicMessages,
  path: '/v1/messages',
  bodyOf(turn) {
    const cached = { cache_control: { type: 'ephemeral' } }
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>\nContext.\n</system-reminder>' },
          { type: 'text', text: 'Please do it.' },
        ],
      },
      { role: 'system', content: `${words('The environment', 8)}\nDeferred tools: WebFetch` },
      ...upTo(turn - 1, (one): readonly { role: string; content: object[] }[] => {
        const id = `toolu_${one}`
        const isSearch = one === 8
        const use = { type: 'tool_use', id, name: isSearch ? 'ToolSearch' : 'Read', input: { path: `src/${one}.ts` } }
        const content = isSearch
          ? [{ type: 'tool_reference', tool_name: 'WebFetch' }]
          : [{ type: 'text', text: file(one) }]
        const reminder =
          one === 13 ? [{ role: 'system', content: [{ type: 'text', text: words('A reminder', 5) }] }] : []
        return [
          {
            role: 'assistant',
            content: [{ type: 'thinking', thinking: 'Hm.', signature: '' }, { type: 'text', text: 'Let me see.' }, use],
          },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: id, content, ...(one === turn - 1 && cached) }],
          },
          ...reminder,
        ]
      }),
    ]
    return {
      model: 'model',
      max_tokens: 32_000,
      system: [
        { type: 'text', text: `x-anthropic-billing-header: cc_version=2.1.328.${turn}a; cc_entrypoint=sdk-cli;` },
        { type: 'text', text: words('The work', 50), ...cached },
      ],
      tools: turn > 8 ? [...claudeTools, loaded] : claudeTools,
      thinking: { type: 'adaptive' },
      messages,
    }
  },
}

const openCode: Client = {
  door: openaiChat,
  path: '/v1/chat/completions',
  bodyOf: (turn) => ({
    model: 'model',
    max_tokens: 8192,
    tool_choice: 'auto',
    tools: ['bash', 'read', 'edit', 'task'].map((name) => ({
      type: 'function',
      function: { name, description: words(name, 6), parameters },
    })),
    messages: [
      { role: 'system', content: words('The work', 50) },
      { role: 'user', content: 'Please do it.' },
      ...upTo(turn - 1, (one): readonly object[] => [
        {
          role: 'assistant',
          content: one % 2 === 0 ? '' : 'Let me see.',
          tool_calls: [
            {
              id: `call_${one}`,
              type: 'function',
              function: { name: 'read', arguments: JSON.stringify({ path: `src/${one}.ts` }) },
            },
          ],
        },
        { role: 'tool', tool_call_id: `call_${one}`, content: file(one) },
      ]),
    ],
  }),
}

const clients: Readonly<Record<string, Client>> = { Codex: codex, 'Claude Code': claudeCode, OpenCode: openCode }

/** A prompt as a chat template would print it. */
function render({ messages }: UpstreamRequest): string {
  return messages.map(({ role, content }) => `<|${role}|>\n${textOf(content)}\n`).join('')
}

function commonLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

/** Of the prompt before, so much is the beginning of the next: the least and the mean of all turns. */
async function sharesOf({ door, path, bodyOf }: Client, dialect: string): Promise<{ least: number; mean: number }> {
  const prompts: string[] = []
  for (let turn = 0; turn <= turns; turn++) {
    const { asked } = await put(door, path, bodyOf(turn), { tools: 'prompt', dialect })
    const [request] = asked
    if (request === undefined) throw new Error('nothing was asked')
    prompts.push(render(request))
  }
  const shares = prompts
    .slice(1)
    .map((prompt, turn) => commonLength(prompts[turn] ?? '', prompt) / (prompts[turn] ?? '').length)
  return { least: Math.min(...shares), mean: shares.reduce((sum, share) => sum + share, 0) / shares.length }
}

describe.each(Object.entries(clients))('twenty turns of %s', (_, client) => {
  test.each(['hermes', 'roo-xml'])('keep the beginning of the prompt, in %s', async (dialect) => {
    const { least, mean } = await sharesOf(client, dialect)
    expect(mean).toBeGreaterThan(0.98)
    expect(least).toBeGreaterThan(0.95)
  })
})
