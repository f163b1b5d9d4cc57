import type { Advice, Examination, Finding, Verdict } from '../../doctor/finding.ts'
import { printPlace } from '../../server/pages/welcome.ts'
import { terminalWidth, wrapWords } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'

type Paint = Terminal['paint']

const signs = { good: ['green', '✓'], warning: ['yellow', '!'], bad: ['red', '✗'] } as const

/** What each check is called on the screen. */
const titles: Readonly<Record<string, string>> = {
  node: 'Node',
  config: 'Config',
  port: 'Port',
  clock: 'Clock',
  proxy: 'Proxy',
  servers: 'Model servers',
  reachable: 'Reachable',
  answers: 'Answers',
  context: 'Context',
  usage: 'Usage',
  system: 'System message',
  alternation: 'Message order',
  native: 'Native tools',
  whole: 'Not streamed',
  required: 'Required call',
  named: 'Named tool',
  parallel: 'Parallel calls',
  prompt: 'Prompt mode',
  grammar: 'JSON schema',
}

const titleWidth = Math.max(...Object.values(titles).map(({ length }) => length))
const margin = ' '.repeat(4 + titleWidth + 2)

export function printFindings(findings: readonly Finding<string>[], paint: Paint): readonly string[] {
  return findings.flatMap(({ check, verdict, says, fix }) => {
    const [style, sign] = signs[verdict]
    const [first = '', ...rest] = wrapWords(says, margin)
    const head = `  ${paint(style, sign)} ${(titles[check] ?? check).padEnd(titleWidth)}  `
    const fixes = fix === undefined ? [] : wrapWords(fix, `${margin}  `)
    const [fixFirst = '', ...fixRest] = fixes
    return [
      head + first.trimStart(),
      ...rest,
      ...(fixes.length === 0 ? [] : [`${margin}${paint('cyan', '→')} ${fixFirst.trimStart()}`, ...fixRest]),
    ]
  })
}

export function printExamination(examination: Examination, paint: Paint): readonly string[] {
  const { service, findings, advice, model } = examination
  const place = printPlace(examination)
  return [
    '',
    `  ${paint('bold', service)}  ${paint('dim', place)}`.trimEnd(),
    ...printFindings(findings, paint),
    ...(advice === undefined || model === undefined ? [] : printAdvice(model, advice, paint)),
  ]
}

function printAdvice(model: string, advice: Advice, paint: Paint): readonly string[] {
  return wrapWords(`Best for ${model}: ${sayAdvice(advice)}`, '  ').map((line) => paint('bold', line))
}

/** `tools: prompt, dialect: hermes`. */
function sayAdvice({ tools, dialect, template }: Advice): string {
  return [
    `tools: ${tools}`,
    ...(dialect === undefined ? [] : [`dialect: ${dialect}`]),
    ...(template === undefined
      ? []
      : [
          `template: { ${Object.entries(template)
            .map(([key, value]) => `${key}: ${value}`)
            .join(', ')} }`,
        ]),
  ].join(', ')
}

export function printVerdict(verdicts: readonly Verdict[], paint: Paint): string {
  const count = (wanted: Verdict, one: string) => {
    const many = verdicts.filter((verdict) => verdict === wanted).length
    return many === 0 ? [] : [`${many} ${one}${many === 1 ? '' : 's'}`]
  }
  const found = [...count('bad', 'problem'), ...count('warning', 'warning')]
  if (found.length === 0) return paint('green', 'Everything works.')
  const isBad = verdicts.includes('bad')
  const sentence = isBad
    ? `${found.join(' and ')}. The arrows say what to do.`
    : `${found.join(' and ')}, and nothing that stops you.`
  return paint(isBad ? 'red' : 'yellow', sentence)
}

interface Progress {
  /** What is being done now. */
  show(doing: string): void
  clear(): void
}

/** One line that says what is being done, on an interactive terminal. */
export function createProgress({
  interactive,
  complain,
  paint,
}: Pick<Terminal, 'interactive' | 'complain' | 'paint'>): Progress {
  let steps = 0
  return {
    show(doing) {
      if (!interactive) return
      steps += 1
      const line = `  ${frames[steps % frames.length]} ${doing}`
      complain(`\r\u001b[2K${paint('dim', line.slice(0, terminalWidth - 1))}`)
    },
    clear() {
      if (interactive && steps > 0) complain('\r\u001b[2K')
    },
  }
}

const frames = ['◐', '◓', '◑', '◒']
