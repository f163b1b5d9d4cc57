import { battery } from '../../src/tune/battery/battery.ts'
import type { Instance } from '../../src/tune/battery/task.ts'
import { createDice } from '../../src/tune/dice.ts'
import { toolbox } from '../turn/toolbox.ts'

export interface Question extends Instance {
  /** The same in every run. */
  readonly id: string
  readonly category: string
}

/** So often each task of the battery is drawn. */
const draws = 2

/**
 * All questions, or so many of them from all categories alike, those with the same tools one after the other: a server that
 * keeps the beginning of its prompts reads the tools once. Where not all are taken, those whose tools many share come first.
 */
export function drawQuestions(most = Number.POSITIVE_INFINITY, of?: readonly string[]): readonly Question[] {
  const drawn = Array.from({ length: draws }, (_, draw) =>
    battery.map((task): Question => {
      const id = `${task.category}: ${task.name} ${draw + 1}`
      return { id, category: task.category, ...task.make(createDice('real', id)) }
    }),
  ).flat()
  const byTools = Map.groupBy(drawn, ({ request }) => JSON.stringify(request.tools))
  const groups = [...byTools.values()].toSorted((a, b) => b.length - a.length)
  const wanted = groups.flat().filter(({ category }) => of === undefined || of.includes(category))
  const categories = [...Map.groupBy(wanted, ({ category }) => category).values()]
  const places = Array.from({ length: Math.max(0, ...categories.map(({ length }) => length)) }, (_, place) => place)
  const alike = places.flatMap((place) => categories.flatMap((questions) => questions[place] ?? []))
  const taken = new Set(alike.slice(0, most))
  return groups.flat().filter((question) => taken.has(question))
}

/** What could be taken for a tool that is asked for. */
const alike = /mail|calendar|time|weather|forecast|_file|sms|browser|ticket|create_issue|image|search/

/** The same questions with so many tools: those of all of them, and others that are no answer to any. One list, read by a server once. */
export function putAmong(questions: readonly Question[], count: number): readonly Question[] {
  const own = new Map(questions.flatMap(({ request }) => request.tools.map((tool) => [tool.name, tool] as const)))
  const others = toolbox.filter(({ name }) => !alike.test(name)).slice(0, Math.max(0, count - own.size))
  const share = Math.ceil(others.length / Math.max(1, own.size))
  const tools = [...own.values()].flatMap((tool, place) => [...others.slice(place * share, (place + 1) * share), tool])
  return questions.map((question) => ({
    ...question,
    id: `${question.id} among ${tools.length}`,
    request: { ...question.request, tools },
  }))
}
