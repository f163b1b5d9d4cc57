import { signal } from '@preact/signals'
import type { Golden } from '../../src/traces/api.ts'
import type { Attempt, Exchange } from '../../src/traces/exchange.ts'
import { getJson, inWords } from '../data/api.ts'
import { tell } from '../text/copy.ts'

const sampleTools = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Read a file',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' }, limit: { type: 'integer' } },
        required: ['path'],
      },
    },
  },
  {
    type: 'function',
    function: {
      name: 'search',
      description: 'Search the project',
      parameters: {
        type: 'object',
        properties: { query: { type: 'string' }, paths: { type: 'array', items: { type: 'string' } } },
        required: ['query'],
      },
    },
  },
]

const sampleText = `I'll look at the file first. Calls are written as \`<tool_call>\` blocks.

<tool_call>
{"name": "read_file", "arguments": {"path": "src/main.ts", "limit": "40",}}
</tool_call>
<tool_call>
{"name": "search", "arguments": {'query': 'createReader', 'paths': ['src', 'test']}}
</tool_call>`

/** What stands in the reader. It outlives the view, so that one can go and come back. */
export const draft = {
  text: signal(sampleText),
  tools: signal(JSON.stringify(sampleTools, null, 2)),
  dialect: signal('hermes'),
  finish: signal<'stop' | 'length'>('stop'),
  cut: signal(5),
  quoted: signal<Golden['quoted']>(undefined),
}

/** Takes what a model said, and all that decides how it is read. */
export async function takeText(exchange: Exchange, attempt: Attempt): Promise<void> {
  draft.text.value = attempt.said.text
  draft.dialect.value = attempt.dialect ?? 'auto'
  draft.finish.value = attempt.said.finish === 'length' ? 'length' : 'stop'
  draft.tools.value = '[]'
  draft.quoted.value = undefined
  let golden: Golden
  try {
    golden = await getJson<Golden>(`exchanges/${encodeURIComponent(exchange.id)}/export?as=golden`)
  } catch (error) {
    return tell(`The tools could not be taken along. ${inWords(error)}`)
  }
  draft.tools.value = JSON.stringify(golden.tools, null, 2)
  draft.dialect.value = golden.dialect ?? 'auto'
  draft.quoted.value = golden.quoted
}
