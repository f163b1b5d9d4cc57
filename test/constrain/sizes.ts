import { cpuUsage } from 'node:process'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { constrainSteps } from '../../src/engine/constrain/constrain.ts'
import { printEbnf } from '../../src/engine/constrain/grammar/print.ts'
import { structuralTagSteps } from '../../src/engine/constrain/structural-tag.ts'
import type { ToolChoice } from '../../src/protocol/tool.ts'
import { manyTools } from './many-tools.ts'
import { compileEbnf, compileStructuralTag } from './oracle.ts'

/** What a grammar for many tools costs: us to make, and xgrammar to compile. */
export interface Size {
  readonly dialect: string
  readonly tools: number
  readonly choice: ToolChoice['mode']
  readonly level: number
  readonly characters: number
  /** Processor time, so that it does not matter what else the machine does. */
  readonly builtMs: number
  /** The longest step of it. */
  readonly stepMs: number
  readonly compiledMs: number
}

export const sizedDialects = ['hermes', 'qwen3-coder', 'roo-xml', 'pythonic', 'gemma4', 'yaml-xml']

function busyMs(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

export async function measureSize(name: string, count: number, choice: ToolChoice): Promise<Size> {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)
  const options = { dialect, tools: manyTools(count), choice, others: dialects, parallel: true }
  const isTag = choice.mode === 'auto'
  const started = busyMs()
  let stepMs = 0
  function take<T>(steps: Generator<void, T>): T {
    for (;;) {
      const before = busyMs()
      const { done, value } = steps.next()
      stepMs = Math.max(stepMs, busyMs() - before)
      if (done === true) return value
    }
  }
  const tagged = isTag ? take(structuralTagSteps(options)) : undefined
  const plain = isTag ? undefined : take(constrainSteps(options))
  const { level } = tagged ?? plain ?? { level: 0 }
  const text = plain === undefined ? '' : printEbnf(plain.tree)
  const tag = tagged?.tag
  const builtMs = busyMs() - started
  const compiling = busyMs()
  const oracle = await (tag === undefined ? compileEbnf(text) : compileStructuralTag(tag))
  const compiledMs = busyMs() - compiling
  oracle.dispose()
  const characters = tag === undefined ? text.length : JSON.stringify(tag).length
  return { dialect: name, tools: count, choice: choice.mode, level, characters, builtMs, stepMs, compiledMs }
}

const head = ['dialect', 'tools', 'choice', 'level', 'kB', 'build ms', 'step ms', 'compile ms']

function line(words: readonly string[]): string {
  return words
    .map((word, column) => word.padEnd(column === 0 ? 12 : (head[column]?.length ?? 0) + 2))
    .join(' ')
    .trimEnd()
}

export const sizesHead = line(head)

export function printSize(size: Size): string {
  const { dialect, tools, choice, level, characters, builtMs, stepMs, compiledMs } = size
  const times = [builtMs, stepMs, compiledMs].map((ms) => String(Math.round(ms)))
  return line([dialect, String(tools), choice, String(level), (characters / 1000).toFixed(1), ...times])
}
