import type { Advice } from './finding.ts'
import type { NativeExam } from './native.ts'
import type { PromptExam } from './prompt.ts'
import type { TemplateExam } from './template.ts'

/** What the examination says about how to serve the model; nothing where neither way works. */
export function advise(
  { system, alternate }: Pick<TemplateExam, 'system' | 'alternate'>,
  { works, repairs }: Pick<NativeExam, 'works' | 'repairs'>,
  { dialect, isUsual }: Pick<PromptExam, 'dialect' | 'isUsual'>,
): { readonly advice?: Advice } {
  // Calls that must be fished out of the text are what prompt mode does better.
  const isNative = works && (dialect === undefined || !repairs.some((kind) => fishing.has(kind)))
  if (!isNative && dialect === undefined) return {}
  const template = { ...(!system && { system: false as const }), ...(alternate && { alternate: true as const }) }
  return {
    advice: {
      tools: isNative ? 'native' : 'prompt',
      ...(!isNative && isUsual === false && dialect !== undefined && { dialect }),
      ...(Object.keys(template).length > 0 && { template }),
    },
  }
}

const fishing: ReadonlySet<string> = new Set(['leak_rescued', 'generation_rescued', 'malformed_arguments'])
