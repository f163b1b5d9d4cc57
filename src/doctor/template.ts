import { askPlainly } from './ask.ts'
import type { Finding } from './finding.ts'
import { type Part, type Served, sayFailure } from './part.ts'
import { obedience, twoInARow } from './tasks.ts'

export interface TemplateExam {
  readonly findings: readonly Finding[]
  readonly system: boolean
  readonly alternate: boolean
}

/** Which forms of a conversation the model's chat template takes. */
export async function examineTemplate({ upstream, model, settings, progress, signal }: Part): Promise<TemplateExam> {
  progress('system message')
  const told = await askPlainly(upstream, model, { messages: obedience.messages }, signal)
  progress('two user messages in a row')
  const row = await askPlainly(upstream, model, { messages: twoInARow }, signal)
  const system = 'said' in told
  const alternate = 'failure' in row
  return { system, alternate, findings: [judgeSystem(told, settings), judgeRow(row, settings)] }
}

type ProbeAnswer = Awaited<ReturnType<typeof askPlainly>>

function judgeSystem(told: ProbeAnswer, { template }: Served): Finding {
  if ('failure' in told && template?.system === false) {
    return { check: 'system', verdict: 'good', says: 'It takes no system message, and your config says so.' }
  }
  if ('failure' in told) {
    return {
      check: 'system',
      verdict: 'warning',
      says: `It refuses a system message: ${sayFailure(told.failure)}`,
      fix: 'Set `template: { system: false }` for this model: Dragoman then puts that text into the first user message.',
    }
  }
  if (obedience.isDone(told.said.text))
    return { check: 'system', verdict: 'good', says: 'It follows the system message.' }
  return {
    check: 'system',
    verdict: 'warning',
    says: "It takes a system message but didn't follow it.",
    fix: 'If it often forgets its instructions, try `template: { system: false }` for this model.',
  }
}

function judgeRow(row: ProbeAnswer, { template }: Served): Finding {
  if ('failure' in row && template?.alternate === true) {
    return { check: 'alternation', verdict: 'good', says: 'Messages must alternate, and your config says so.' }
  }
  if ('said' in row) return { check: 'alternation', verdict: 'good', says: 'Messages may come in any order.' }
  return {
    check: 'alternation',
    verdict: 'warning',
    says: `It refuses two user messages in a row: ${sayFailure(row.failure)}`,
    fix: 'Set `template: { alternate: true }` for this model: Dragoman then joins such messages.',
  }
}
