import type { Tool } from '../../protocol/tool.ts'
import type { Dice } from '../dice.ts'
import { define, exchange } from './task.ts'
import {
  cities,
  coding,
  everyday,
  integer,
  mail,
  people,
  readFile,
  text,
  timer,
  tool,
  weather,
  words,
} from './tools.ts'

/** Many tools, and much to read before the question. */

const things = ['user', 'project', 'invoice', 'ticket', 'document', 'meeting'] as const
const deeds = [
  ['create', 'Create a new', { name: text('Its name') }],
  ['delete', 'Delete an existing', { id: integer('Its number') }],
  ['rename', 'Rename an existing', { id: integer('Its number'), name: text('The new name') }],
  ['archive', 'Archive an existing', { id: integer('Its number') }],
  ['assign', 'Assign an existing one to a person:', { id: integer('Its number'), person: text('First name') }],
] as const

/** Thirty tools whose names are easily mistaken for each other. */
const many: readonly Tool[] = things.flatMap((thing) =>
  deeds.map(([deed, does, properties]) => tool(`${deed}_${thing}`, `${does} ${thing}.`, properties)),
)

const manyTools = define('many tools', {
  create: (dice) => {
    const [thing, name] = [dice.pick(things), dice.pick(words)]
    return {
      says: `Create a new ${thing} called "${name}".`,
      tools: many,
      calls: [{ name: `create_${thing}`, arguments: { name } }],
    }
  },
  delete: (dice) => {
    const [thing, id] = [dice.pick(things), dice.whole(100, 999)]
    return {
      says: `Delete ${thing} number ${id}.`,
      tools: many,
      calls: [{ name: `delete_${thing}`, arguments: { id } }],
    }
  },
  rename: (dice) => {
    const [thing, id, name] = [dice.pick(things), dice.whole(100, 999), dice.pick(words)]
    return {
      says: `Rename ${thing} ${id} to "${name}".`,
      tools: many,
      calls: [{ name: `rename_${thing}`, arguments: { id, name } }],
    }
  },
  assign: (dice) => {
    const [thing, id, person] = [dice.pick(things), dice.whole(100, 999), dice.pick(people)]
    return {
      says: `Assign ${thing} ${id} to ${person}.`,
      tools: many,
      calls: [{ name: `assign_${thing}`, arguments: { id, person } }],
    }
  },
  'two of them': (dice) => {
    const [thing, id] = [dice.pick(things), dice.whole(100, 999)]
    return {
      says: `Archive ${thing} ${id} and, at once, create a new ${thing} called "fresh".`,
      tools: many,
      calls: [
        { name: `archive_${thing}`, arguments: { id } },
        { name: `create_${thing}`, arguments: { name: 'fresh' } },
      ],
    }
  },
})

/** About 2,500 tokens. */
const lines = 120

function document(dice: Dice, needle: string): string {
  const at = dice.whole(20, lines - 20)
  return Array.from({ length: lines }, (_, index) =>
    index === at
      ? needle
      : `Entry ${index}: the ${dice.pick(words)} was moved to the ${dice.pick(words)} on day ${dice.whole(1, 28)} and counted ${dice.whole(1, 900)} times.`,
  ).join('\n')
}

const longContext = define('long context', {
  'a needle': (dice) => {
    const to = `${dice.pick(people)}.${dice.pick(words)}@example.com`
    return {
      says: `${document(dice, `Entry: complaints go to ${to}.`)}\n\nSend an email to the address for complaints in this list, with the subject "Hello" and exactly the text: Please call me.`,
      tools: [mail, timer],
      calls: [{ name: mail.name, arguments: { to, subject: 'Hello', body: 'Please call me.' } }],
    }
  },
  'a question after it': (dice) => {
    const city = dice.pick(cities)
    return {
      says: `${document(dice, 'Entry: nothing happened.')}\n\nForget this list. What is the weather in ${city}?`,
      tools: everyday,
      calls: [{ name: weather.name, arguments: { city } }],
    }
  },
  'a long system message': (dice) => {
    const path = `${dice.pick(words)}/${dice.pick(words)}.log`
    return {
      before: [
        {
          role: 'system',
          content: `You help with a warehouse. This is its history.\n${document(dice, 'Entry: a quiet day.')}`,
        },
      ],
      says: `Read the file ${path}.`,
      tools: coding,
      calls: [{ name: readFile.name, arguments: { path } }],
    }
  },
  'a long result': (dice) => {
    const path = `${dice.pick(words)}/rest.txt`
    return {
      says: 'Read index.txt. One of its entries names a file to read next: read that one.',
      tools: coding,
      after: exchange({
        name: readFile.name,
        arguments: { path: 'index.txt' },
        result: document(dice, `Entry: read ${path} next.`),
      }),
      calls: [{ name: readFile.name, arguments: { path } }],
    }
  },
  'a long conversation': (dice) => {
    const asked = Array.from({ length: 12 }, () => dice.pick(cities))
    const minutes = dice.whole(2, 55)
    return {
      before: asked.flatMap((city, index) => [
        { role: 'user' as const, content: `What is the weather in ${city}?` },
        ...exchange({
          id: `call_before_${index}`,
          name: weather.name,
          arguments: { city },
          result: `${dice.whole(10, 39)} degrees`,
        }),
        { role: 'assistant' as const, content: `I have looked it up for ${city}.` },
      ]),
      says: `Set a timer for ${minutes} minutes with the label "walk".`,
      tools: everyday,
      calls: [{ name: timer.name, arguments: { minutes, label: 'walk' } }],
    }
  },
})

export const ofSize = [...manyTools, ...longContext]
