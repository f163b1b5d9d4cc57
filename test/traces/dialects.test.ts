import { afterAll, beforeAll, expect, test } from 'vitest'
import { explainLine } from '../../src/cli/explain/batch.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Golden } from '../../src/traces/api.ts'
import { ask } from '../server/scripted.ts'
import { readFile, runTraced, saying, type Traced } from './traced.ts'

/** What the model says next. */
let said = ''
let traced: Traced

beforeAll(async () => {
  traced = await runTraced({ script: () => saying(said, 11) })
})
afterAll(async () => {
  await traced.gateway.close()
})

const calls = ['a.txt', 'b "c".txt'].map((path, nth) => ({
  id: `call_${nth}`,
  name: 'read_file',
  arguments: JSON.stringify({ path }),
}))

test.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
  '%s: spans cover what was said, and an export is explained the same way again',
  async (name, dialect) => {
    said = `Let me see.\n\n${printCalls(dialect, calls)}`
    const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Read them' }], tools: [readFile] }
    const { status } = await ask(traced.port, { body, headers: { 'x-dragoman-dialect': name } })
    const exchange = await traced.last()
    expect([status, exchange.dialect, exchange.state]).toEqual([200, name, 'done'])
    const [attempt] = exchange.attempts
    const spans = attempt?.spans ?? []
    const text = attempt?.said.text ?? ''
    expect(spans.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text)
    expect(said.startsWith(text)).toBe(true)
    const { got } = exchange
    expect(new Set(spans.flatMap(({ kind, index }) => (kind === 'call' ? [index] : []))).size).toBe(got.calls.length)
    expect(got.calls.length).toBeGreaterThan(0)
    const path = `/inspector/api/exchanges/${exchange.id}/export?as=golden`
    const { text: line } = await ask(traced.port, { method: 'GET', path })
    const { expected } = JSON.parse(line) as Golden
    expect(JSON.parse(explainLine(line, {}).line)).toMatchObject(expected)
    expect(expected.tool_calls).toEqual(got.calls.map((call) => ({ name: call.name, arguments: call.arguments })))
    expect(expected.content ?? '').toBe(got.text)
  },
)

test('an unknown dialect is refused by the name of the header', async () => {
  const { status, json } = await ask(traced.port, { headers: { 'x-dragoman-dialect': 'klingon' } })
  expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_value', 'x-dragoman-dialect'])
})
