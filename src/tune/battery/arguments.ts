import { enums } from './enums.ts'
import { nested } from './nested.ts'
import { define } from './task.ts'
import {
  add,
  cities,
  coding,
  everyday,
  files,
  flag,
  integer,
  mail,
  multiply,
  number,
  people,
  readFile,
  text,
  time,
  timer,
  tool,
  weather,
  words,
} from './tools.ts'

/** One call, and what its arguments are made of. */

const single = define('single', {
  weather: (dice) => {
    const city = dice.pick(cities)
    return {
      says: `What is the weather in ${city} right now?`,
      tools: everyday,
      calls: [{ name: weather.name, arguments: { city } }],
    }
  },
  addition: (dice) => {
    const [a, b] = [dice.whole(1_000, 99_999), dice.whole(1_000, 99_999)]
    return {
      says: `Use a tool to add ${a} and ${b}.`,
      tools: [add, multiply, weather],
      calls: [{ name: add.name, arguments: { a, b } }],
    }
  },
  multiplication: (dice) => {
    const [a, b] = [dice.whole(13, 99), dice.whole(101, 999)]
    return {
      says: `Use a tool to work out ${a} times ${b}.`,
      tools: [add, multiply, weather],
      calls: [{ name: multiply.name, arguments: { a, b } }],
    }
  },
  'read a file': (dice) => {
    const path = dice.pick(files)
    return { says: `Show me what is in ${path}.`, tools: coding, calls: [{ name: readFile.name, arguments: { path } }] }
  },
  'list a folder': (dice) => {
    const path = `${dice.pick(words)}/${dice.pick(words)}`
    return {
      says: `Which files are in the folder ${path}?`,
      tools: coding,
      calls: [{ name: 'list_files', arguments: { path } }],
    }
  },
  'run a command': (dice) => {
    const command = `git log --oneline -n ${dice.whole(3, 30)}`
    return {
      says: `Run exactly this command: ${command}`,
      tools: coding,
      calls: [{ name: 'run_command', arguments: { command } }],
    }
  },
  timer: (dice) => {
    const [minutes, label] = [dice.whole(2, 55), dice.pick(words)]
    return {
      says: `Set a timer for ${minutes} minutes with the label "${label}".`,
      tools: everyday,
      calls: [{ name: timer.name, arguments: { minutes, label } }],
    }
  },
  email: (dice) => {
    const [to, subject] = [`${dice.pick(people)}@example.com`, `About the ${dice.pick(words)}`]
    const body = `It arrives on day ${dice.whole(2, 28)}.`
    return {
      says: `Send an email to ${to} with the subject "${subject}" and exactly this text: ${body}`,
      tools: everyday,
      calls: [{ name: mail.name, arguments: { to, subject, body } }],
    }
  },
})

const ship = tool('ship_parcel', 'Send a parcel.', {
  zip: text('Postal code, as it is written, with leading zeros'),
  weight: number('Kilograms'),
  pieces: integer('How many parcels'),
  express: flag('Whether it has to be quick'),
})
const thermostat = tool('set_thermostat', 'Set the temperature of a room.', {
  room: text('Name of the room'),
  celsius: number('Degrees'),
})
const page = tool(
  'get_page',
  'Get one page of the search results.',
  { query: text('What to look for'), page: integer('From 1 on'), per_page: integer('Default 10') },
  ['per_page'],
)

const types = define('types', {
  'a code with a leading zero': (dice) => {
    const [zip, weight, pieces] = [`0${dice.whole(1_000, 9_999)}`, dice.whole(2, 9) + 0.5, dice.whole(2, 9)]
    return {
      says: `Ship ${pieces} parcels of ${weight} kg each to postal code ${zip}. No express.`,
      tools: [ship, timer],
      calls: [{ name: ship.name, arguments: { zip, weight, pieces, express: false } }],
    }
  },
  'yes and no': (dice) => {
    const express = dice.chance() < 0.5
    const zip = String(dice.whole(10_000, 99_999))
    return {
      says: `Ship one parcel of 2 kg to postal code ${zip}. ${express ? 'Make it express.' : 'It must not be express.'}`,
      tools: [ship, timer],
      calls: [{ name: ship.name, arguments: { zip, weight: 2, pieces: 1, express } }],
    }
  },
  'below zero': (dice) => {
    const celsius = -dice.whole(2, 24) - 0.5
    return {
      says: `Set the thermostat of the room "cold store" to ${celsius} degrees Celsius.`,
      tools: [thermostat, timer],
      calls: [{ name: thermostat.name, arguments: { room: 'cold store', celsius } }],
    }
  },
  'an option left out': (dice) => {
    const [query, wanted] = [`${dice.pick(words)} recipes`, dice.whole(2, 9)]
    return {
      says: `Look for "${query}" and get page ${wanted} of the results.`,
      tools: [page, weather],
      calls: [{ name: page.name, arguments: { query, page: wanted } }],
    }
  },
})

const note = tool('save_note', 'Save a note, word for word.', {
  title: text('Title'),
  text: text('The note, exactly as given'),
})

const exact = (says: string) => (title: string, body: string) => ({
  says: `${says} Save a note with the title "${title}" and exactly this text, without changing anything:\n${body}`,
  tools: [note, timer, weather],
  calls: [{ name: note.name, arguments: { title, text: body } }],
})

const plainly = exact('')

const texts = define('text', {
  quotes: (dice) => plainly(dice.pick(words), `She said "don't" and he said 'why "not"?'`),
  'several lines': (dice) =>
    plainly(dice.pick(words), `first line\nsecond: ${dice.whole(10, 99)}\n\n- a point\n- another point`),
  'other scripts': (dice) =>
    plainly(dice.pick(words), `Grüße aus ${dice.pick(['Zürich', '東京', 'Αθήνα', 'القاهرة'])} 🎉 – naïve café`),
  'a path with backslashes': (dice) => plainly(dice.pick(words), `C:\\Users\\${dice.pick(people)}\\new\\table.txt`),
  'angle brackets': (dice) =>
    plainly(dice.pick(words), `<b>bold</b> & if (a < ${dice.whole(2, 9)} && b > 1) { x = {"k": [1, 2]} }`),
})

const status = tool('get_status', 'Tell how the machine is doing. Takes no arguments.')
const undo = tool('undo_last_change', 'Undo the last change. Takes no arguments.')
const screenshot = tool('take_screenshot', 'Take a picture of the screen. Takes no arguments.')
const bare = [time, status, undo, screenshot, weather] as const

const none = define('no arguments', {
  time: () => ({ says: 'What time is it now?', tools: bare, calls: [{ name: time.name, arguments: {} }] }),
  status: () => ({ says: 'How is the machine doing?', tools: bare, calls: [{ name: status.name, arguments: {} }] }),
  undo: () => ({
    says: 'That was wrong. Undo the last change, please.',
    tools: bare,
    calls: [{ name: undo.name, arguments: {} }],
  }),
  screenshot: () => ({ says: 'Take a screenshot.', tools: bare, calls: [{ name: screenshot.name, arguments: {} }] }),
})

export const ofArguments = [...single, ...types, ...texts, ...enums, ...nested, ...none]
