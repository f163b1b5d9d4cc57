import { createInterface } from 'node:readline'

/** A server of the Model Context Protocol with two tools, one of which gives a picture. */
const node = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/N' } } } }
const tools = [
  {
    name: 'create_issue_v2',
    description: 'Create an issue',
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string' }, node: { $ref: '#/$defs/N' } },
      required: ['title'],
      $defs: { N: node },
    },
  },
  { name: 'pic', description: 'Return a picture', inputSchema: { type: 'object', properties: {} } },
]
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function resultOf({ method, params }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'srv', version: '1' }
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') return { tools }
  if (method !== 'tools/call') return {}
  if (params.name === 'pic') return { content: [{ type: 'image', data: picture, mimeType: 'image/png' }] }
  return { content: [{ type: 'text', text: `created ${params.arguments.title}` }] }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.id === undefined) return
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) })}\n`)
})
