import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'
import { findDialect } from '../../dialects/registry.ts'
import type { Tool } from '../../protocol/tool.ts'
import { printCalls } from '../print.ts'

const words = ['answer', 'response', 'json', 'xml', 'function', 'invoke', 'tool', 'tools', 'tool_call', 'assistant']
const dialects = ['roo-xml', 'xml-toolname', 'yaml-xml']

test.each(dialects.flatMap((dialect) => words.map((name) => [name, dialect] as const)))(
  'a tool named %s, like marks of others, is called in %s',
  (name, dialect) => {
    const parameters = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } as const
    const tools: readonly Tool[] = [{ kind: 'function', name, parameters }]
    const taught = findDialect(dialect)
    if (taught === undefined) throw new Error(`no dialect ${dialect}`)
    const said = printCalls(taught, [{ id: 'id', name, arguments: '{"query":"a b"}' }], tools)
    const { calls, text } = hear(dialect, `On it.\n${said}`, { tools })
    expect(calls.map((call) => call.replaceAll(': ', ':'))).toEqual([`${name} {"query":"a b"}`])
    expect(text).toBe('On it.')
    const spoken = `The <${name}>it</${name}> of a page is no call.`
    expect(hear(dialect, spoken, { tools })).toMatchObject({ calls: [], text: spoken })
  },
)
