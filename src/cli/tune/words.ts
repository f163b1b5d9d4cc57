import type { Recommendation, Standing, Summary } from '../../tune/summary.ts'
import { settingsFor, type Way } from '../../tune/ways.ts'
import { percent } from './figures.ts'

/** What the figures mean, in sentences. */

interface Setting {
  readonly model: string
  readonly margin: number
  readonly alpha: number
}

/** A way as people say it. */
function name(way: Way): string {
  return way === 'native' ? 'native tool calls' : way
}

function listOf(ways: readonly Way[]): string {
  const names = ways.map(name)
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

export function sayVerdict(
  { recommendation: given, standings }: Summary,
  { model, margin, alpha }: Setting,
): readonly string[] {
  const [best, ...others] = standings.filter(({ exit }) => exit?.kind !== 'refused')
  const next = others.find(({ way }) => way !== chosenOf(given))
  const sure = `${percent(1 - alpha)} certain`
  const of = (way: Way): Standing | undefined => standings.find((one) => one.way === way)
  switch (given.kind) {
    case 'none':
      return [
        best === undefined || best.success.of === 0
          ? `Nothing works with ${model}: the server refused every request.`
          : `Nothing works with ${model}: ${name(best.way)} does best, and did ${best.success.count} of ${best.success.of} tasks.`,
        'Run `dragoman doctor` to find out why, or try a larger model.',
      ]
    case 'winner':
      return [
        `Use ${name(given.way)} for ${model}. It did ${percent(of(given.way)?.success.value ?? 0)} of the tasks.`,
        next === undefined
          ? 'It was the only way to compare.'
          : `That nothing else does better is ${sure}. ${capital(name(next.way))} did ${percent(next.success.value)}.`,
        ...warning(of(given.way)),
      ]
    case 'equal':
      return [
        given.ways.length > 1
          ? `Use ${name(given.way)} for ${model}. ${capital(listOf(given.ways))} are equally good, and its prompts are the shortest.`
          : `Use ${name(given.way)} for ${model}. It did ${percent(of(given.way)?.success.value ?? 0)} of the tasks.`,
        `That it's at most ${Math.round(margin * 100)} points behind the best is ${sure}.`,
        ...warning(of(given.way)),
      ]
    case 'leader':
      return [
        `${capital(name(given.way))} is ahead for ${model} with ${percent(of(given.way)?.success.value ?? 0)} of the tasks, but that isn't certain yet.`,
        ...(given.ways.length > 1 ? [`Still in the race: ${listOf(given.ways)}.`] : []),
        ...warning(of(given.way)),
      ]
  }
}

function capital(text: string): string {
  return text.startsWith('native') ? `N${text.slice(1)}` : text
}

export function chosenOf(given: Recommendation): Way | undefined {
  return given.kind === 'none' ? undefined : given.way
}

const poor = 0.6

function warning(standing: Standing | undefined): readonly string[] {
  if (standing === undefined || standing.success.value >= poor) return []
  return [`It still fails ${percent(1 - standing.success.value)} of the tasks. A larger model may do better.`]
}

/** Why it ended before it was certain, and how to go on. */
export function sayEnding(
  { ending, recommendation }: Summary,
  { path, answers }: { readonly path: string; readonly answers: number },
): readonly string[] {
  const kept = `${answers} ${answers === 1 ? 'answer is' : 'answers are'} kept in ${path}.`
  switch (ending.kind) {
    case 'certain':
      return []
    case 'rounds':
      return recommendation.kind === 'none' ? [] : ['To go on measuring, run it again with a larger --runs.']
    case 'requests':
      return [`--max-requests is used up. ${kept} Run the same command again to go on.`]
    case 'time':
      return [`--budget is used up. ${kept} Run the same command again to go on.`]
    case 'interrupted':
      return [`Stopped. ${kept} Run the same command again to go on.`]
    case 'trouble':
      return [`The model server is in trouble: ${ending.reason}`, `${kept} Run the same command again to go on.`]
  }
}

/** What the config file says for a way, as it would stand there. */
export function printSettings(model: string, way: Way): readonly string[] {
  const values = Object.entries(settingsFor(way)).map(([key, value]) => `    ${key}: ${value}`)
  return ['models:', `  ${/^[\w.-]+$/.test(model) ? model : JSON.stringify(model)}:`, ...values]
}
