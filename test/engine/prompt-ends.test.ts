import { expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import { createReader } from '../../src/engine/reader.ts'
import type { Tool } from '../../src/protocol/tool.ts'

/** What ends their calls is the end of a line, of a list that may go on, or of the answer. */
const patient = new Set([
  ...['functionary-v3.2', 'gigachat3', 'glm4-legacy', 'granite-3', 'granite-20b-fc', 'json-bare', 'json-bare-array'],
  ...['llama3-json', 'mistral-v11', 'openai-wrapper', 'pythonic', 'qwen-agent-flower', 'react', 'sarashina', 'xlam'],
])

const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'read',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
]

test.each(dialects.filter(({ name }) => !patient.has(name)).map((dialect) => [dialect.name, dialect] as const))(
  'a call in %s is told with its last character, whatever comes then',
  (_, dialect) => {
    const text = printCalls(dialect, [{ id: 'call_1', name: 'read', arguments: '{"path":"/a"}' }], tools).trimEnd()
    const reader = createReader({ dialect, others: dialects, tools, newId: () => 'call_1' })
    expect(reader.push(text).map(({ type }) => type)).toContain('call-end')
  },
)
