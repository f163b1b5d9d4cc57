import { describe, expect, test } from 'vitest'
import { findDialect } from '../../src/dialects/registry.ts'
import { constrain } from '../../src/engine/constrain/constrain.ts'
import { printEbnf } from '../../src/engine/constrain/print.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { compileEbnf } from './oracle.ts'
import { isFull } from './speech.ts'

/** Tools as real servers offer them: a handful of parameters, some of them nested or bounded. */
function toolsOf(count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'function',
    name: `service_${index % 17}_do_${index}`,
    parameters: {
      type: 'object',
      properties: {
        [`path_${index % 40}`]: { type: 'string' },
        kind: { type: 'string', enum: ['file', 'folder', `other_${index}`] },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
        title: { type: 'string', maxLength: 80 },
        filters: {
          type: 'array',
          items: {
            type: 'object',
            properties: { key: { type: 'string' }, value: { type: 'string' } },
            required: ['key'],
          },
        },
      },
      required: [`path_${index % 40}`],
      additionalProperties: false,
    },
  }))
}

const counts = isFull ? [1, 20, 100, 512] : [1, 512]
const names = ['hermes', 'qwen3-coder', 'roo-xml', 'pythonic', 'gemma4', 'yaml-xml']

describe.each(names)('%s', (name) => {
  test.each(counts)('%i tools', { timeout: 300_000 }, async (count) => {
    const dialect = findDialect(name)
    if (dialect === undefined) throw new Error(`no dialect ${name}`)
    const started = performance.now()
    const { tree, level } = constrain({ dialect, tools: toolsOf(count), choice: { mode: 'required' } })
    const text = printEbnf(tree)
    const builtMs = performance.now() - started
    const compiling = performance.now()
    const oracle = await compileEbnf(text)
    const compiledMs = performance.now() - compiling
    oracle.dispose()
    if (isFull) {
      const figures = [`level ${level}`, `${Math.ceil(text.length / 1000)} kB`, `built ${builtMs.toFixed(0)} ms`]
      console.info(`${name}, ${count} tools: ${figures.join(', ')}, compiled ${compiledMs.toFixed(0)} ms`)
    }
    expect(text.length).toBeLessThan(250_000)
    expect(builtMs).toBeLessThan(10_000)
  })
})
