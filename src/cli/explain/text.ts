import type { Event } from '../../protocol/event.ts'
import type { NoteKind } from '../../protocol/note.ts'
import { noteSentences, whySentences } from '../../protocol/trace/sentences.ts'
import type { Span } from '../../protocol/trace/span.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** What a model said, taken apart; the field names are those of `explain --batch`. */
export interface Explanation {
  readonly content: string | null
  readonly reasoning: string | null
  readonly tool_calls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish_reason: string | null
  readonly dialect: string | null
  readonly notes: readonly ExplainedNote[]
}

export interface ExplainedNote {
  readonly kind: NoteKind
  readonly detail?: string
  /** Which call it is about, counted from 0. */
  readonly index?: number
}

/** One push: what went in, what came out, and what had gone in by then without anything having come of it. */
export interface Step {
  readonly given: string
  readonly events: readonly Event[]
  readonly held: string
}

type Paint = Terminal['paint']
type Style = Parameters<Paint>[0]

const looks: Readonly<
  Record<Span['kind'], { readonly style: Style | undefined; readonly bar: string; readonly label: string }>
> = {
  text: { style: undefined, bar: '│', label: 'text' },
  reasoning: { style: 'magenta', bar: '┊', label: 'thought' },
  call: { style: 'cyan', bar: '┃', label: 'call' },
  'broken-call': { style: 'red', bar: '╳', label: 'broken' },
  dropped: { style: 'yellow', bar: '✂', label: 'dropped' },
}
const labelWidth = 10

/** For the eye: the answer with what became of each part of it, the calls, and the notes with their reasons. */
export function printExplanation(text: string, spans: readonly Span[], explanation: Explanation, paint: Paint): string {
  return `\n${[printSpans(text, spans, paint), ...printFindings(explanation, paint)].join('\n')}`
}

/** The same, push by push. */
export function printStream(steps: readonly Step[], explanation: Explanation, paint: Paint): string {
  return `\n${[printSteps(steps, paint), ...printFindings(explanation, paint)].join('\n')}`
}

function printSpans(text: string, spans: readonly Span[], paint: Paint): string {
  return spans.map((span) => printSpan(text.slice(span.from, span.to), span, paint)).join('')
}

/** A part of the text and, where that is not plain to see, why it became what it is. Mere white space is not shown. */
function printSpan(text: string, { kind, index, why }: Span, paint: Paint): string {
  const { style, bar, label } = looks[kind]
  const color = (part: string): string => (style === undefined ? part : paint(style, part))
  const title = index === undefined ? label : `${label} ${index + 1}`
  if (text.trim() === '') return ''
  const lines = text
    .replace(/^\s*\n|\s+$/g, '')
    .split('\n')
    .map((line, i) => `${color((i === 0 ? title : '').padStart(labelWidth))} ${paint('dim', bar)} ${color(line)}`)
  if (why !== undefined) lines.push(`${' '.repeat(labelWidth)} ${paint('dim', `╰ ${whySentences[why]}`)}`)
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

function printFindings(explanation: Explanation, paint: Paint): readonly string[] {
  const { tool_calls: calls, notes, dialect, finish_reason: finish } = explanation
  const found =
    calls.length === 0
      ? `${indent}${paint('dim', 'none: all of it is text')}\n`
      : calls.map((call, i) => `${String(i + 1).padStart(4)}  ${paint('cyan', call.name)} ${call.arguments}\n`).join('')
  const sections = [`${heading('Calls', paint)}${found}`]
  if (notes.length > 0)
    sections.push(`${heading('Notes', paint)}${notes.map((note) => printNote(note, paint)).join('')}`)
  sections.push(paint('dim', `dialect ${dialect ?? 'none'} · finish_reason ${finish ?? 'none'}\n`))
  return sections
}

const indent = '      '

function heading(title: string, paint: Paint): string {
  return `${paint('bold', title)}\n`
}

function printNote({ kind, detail, index }: ExplainedNote, paint: Paint): string {
  const about = index === undefined ? '' : paint('dim', ` · call ${index + 1}`)
  const sentence = noteSentences[kind]
  const shown = detail === undefined || detail === '' ? '' : `${indent}${paint('dim', visible(detail))}\n`
  return `   ${paint('yellow', '●')}  ${paint('yellow', kind)}${about}\n${sentence === undefined ? '' : `${indent}${sentence}\n`}${shown}`
}

/** What went in, what came out of it, what is still held back. */
function printSteps(steps: readonly Step[], paint: Paint): string {
  const given = steps.map((step) => (step.given === '' ? 'end' : visible(step.given)))
  const width = Math.min(40, Math.max(...given.map((text) => text.length)))
  const digits = String(steps.length).length
  const gap = ' '.repeat(digits + width + 6)
  return steps
    .flatMap((step, i) => {
      const outs = step.events.flatMap((event) => printEvent(event, paint))
      const blanks = visible(step.held).replace(/^ +| +$/g, (run) => '␣'.repeat(run.length))
      const held = blanks === '' ? [] : [paint('dim', `… holds ${shorten(blanks, 60)}`)]
      const [first = paint('dim', '·'), ...rest] = [...outs, ...held]
      const input = shorten(given[i] ?? '', width).padEnd(width)
      const shown = step.given === '' ? paint('dim', input) : input
      return [
        `${paint('dim', String(i + 1).padStart(digits))}  ${shown}  ${paint('dim', '→')} ${first}`,
        ...rest.map((out) => gap + out),
      ]
    })
    .map((line) => `${line}\n`)
    .join('')
}

function printEvent(event: Step['events'][number], paint: Paint): readonly string[] {
  switch (event.type) {
    case 'text-delta':
      return [`text ${visible(event.text)}`]
    case 'reasoning-delta':
      return [paint('magenta', `thought ${visible(event.text)}`)]
    case 'call-start':
      return [paint('cyan', `call ${event.index + 1} begins: ${event.name}`)]
    case 'call-delta':
      return [paint('cyan', `call ${event.index + 1} ${visible(event.json)}`)]
    case 'call-end':
      return [paint('cyan', `call ${event.index + 1} ends`)]
    case 'call-error':
      return [paint('red', `call ${event.index + 1} is ${event.reason}`)]
    case 'note':
      return [paint('yellow', `● ${event.kind}${event.detail === undefined ? '' : ` ${visible(event.detail)}`}`)]
    case 'finish':
      return [paint('dim', `finish ${event.reason}`)]
    default:
      return []
  }
}

/** Text on one line, control characters made visible. */
function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => names[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

const names: Readonly<Record<string, string>> = { '\n': '⏎', '\t': '⇥', '\r': '␍' }

function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
