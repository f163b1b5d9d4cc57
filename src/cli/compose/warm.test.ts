import { expect, test } from 'vitest'
import { answerNobody } from './warm.ts'

test.each(['auto', 'hermes', 'pythonic', 'gemma4'])(
  'before anybody asks, an answer in %s has gone all the way',
  async (dialect) => {
    const told = await answerNobody(dialect)
    expect(told).toContain('"name":"look"')
    expect(told).toContain('"finish_reason":"tool_calls"')
  },
)
