// Dragoman's own reader for `dragoman conformance --parser 'node dragoman-reader.mjs'`: an adapter to begin with.
import { createInterface } from 'node:readline'
import { createReader, dialects, findDialect, fold } from 'dragoman/engine'

for await (const line of createInterface({ input: process.stdin })) {
  const { id, format, tools, pieces } = JSON.parse(line)
  const reader = createReader({
    dialect: findDialect(format),
    others: dialects,
    tools: tools.map(({ function: { name, parameters } }) => ({ kind: 'function', name, parameters })),
    newId: () => 'call',
  })
  const events = pieces.flatMap((piece) => [...reader.push(piece)])
  const { content, calls } = fold([...events, ...reader.end('stop')])
  const tool_calls = calls.map((call) => ({ name: call.name, arguments: call.arguments }))
  console.log(JSON.stringify({ id, content, tool_calls }))
}
