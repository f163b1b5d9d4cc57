import { commonDialects, dialectFor } from '../dialects/registry.ts'
import { dialectForTemplate } from '../dialects/templates.ts'
import { askAsGateway } from './ask.ts'
import type { Finding } from './finding.ts'
import type { Part } from './part.ts'
import { repairsOf, sayRepairs } from './repairs.ts'
import { tasks } from './tasks.ts'

export interface PromptExam {
  readonly findings: readonly Finding[]
  /** The dialect that did best; absent: none did. */
  readonly dialect?: string
  /** It is the one that is taught where nothing is said. */
  readonly isUsual?: boolean
}

/** Tools taught in the prompt, in the model's own dialect and in the most common ones. */
export async function examinePrompt(
  { upstream, model, settings, progress, signal }: Part,
  isNative: boolean,
): Promise<PromptExam> {
  const set = settings.dialect ?? 'auto'
  const { template = '' } = await upstream.probe(model, signal).catch(() => ({ template: '' }))
  const usual = set === 'auto' ? (dialectForTemplate(template) ?? dialectFor(model)).name : set
  const tried: { readonly dialect: string; readonly done: number; readonly repairs: readonly string[] }[] = []
  for (const dialect of new Set([usual, ...commonDialects].slice(0, 4))) {
    progress(`tools in the prompt: ${dialect}`)
    const outcomes = []
    for (const task of [tasks.single, tasks.parallel]) {
      const outcome = await askAsGateway(
        upstream,
        model,
        { ...settings, tools: 'prompt', dialect },
        task.request,
        signal,
      )
      outcomes.push({ outcome, isDone: 'said' in outcome && task.isDone(outcome.said.calls) })
    }
    const done = outcomes.filter(({ isDone }) => isDone).length
    tried.push({ dialect, done, repairs: repairsOf(outcomes.map(({ outcome }) => outcome)) })
  }
  // Of two that did as well the earlier one, which is the model's own.
  const best = tried.reduce((one, other) =>
    other.done > one.done || (other.done === one.done && other.repairs.length < one.repairs.length) ? other : one,
  )
  if (best.done === 0)
    return {
      findings: [
        failed(
          tried.map(({ dialect }) => dialect),
          isNative,
        ),
      ],
    }
  return { dialect: best.dialect, isUsual: best.dialect === usual, findings: [judge(best, tried)] }
}

type Tried = { readonly dialect: string; readonly done: number; readonly repairs: readonly string[] }

function judge(best: Tried, tried: readonly Tried[]): Finding {
  const scores = tried.map(({ dialect, done }) => `${dialect} ${done}/2`).join(', ')
  if (best.done === 2 && best.repairs.length === 0) {
    return { check: 'prompt', verdict: 'good', says: `Tools in the prompt work (${scores}).` }
  }
  return {
    check: 'prompt',
    verdict: 'warning',
    says: `Tools in the prompt work in part (${scores}).${best.repairs.length === 0 ? '' : ` ${sayRepairs(best.repairs)}`}`,
    fix: `If you use prompt mode, set \`dialect: ${best.dialect}\` for this model.`,
  }
}

function failed(dialects: readonly string[], isNative: boolean): Finding {
  return {
    check: 'prompt',
    verdict: isNative ? 'warning' : 'bad',
    says: `Tools in the prompt didn't work (tried ${dialects.join(', ')}).`,
    fix: 'Use a larger model, or one that was trained to call tools.',
  }
}
