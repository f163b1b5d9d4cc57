import { define } from './task.ts'
import {
  add,
  cities,
  coding,
  everyday,
  files,
  flag,
  integer,
  list,
  mail,
  multiply,
  number,
  object,
  oneOf,
  people,
  readFile,
  searchText,
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

const light = tool('set_light', 'Change the light of a room.', {
  room: text('Name of the room'),
  mode: oneOf(['off', 'dim', 'warm_white', 'cold_white', 'night_light'], 'How it should be'),
})
const ticket = tool('create_ticket', 'Create a ticket.', {
  title: text('Title'),
  priority: oneOf(['P0', 'P1', 'P2', 'P3'], 'P0 is the most urgent, P3 the least'),
  kind: oneOf(['bug', 'feature', 'question'], 'What it is'),
})
const turnTo = tool('turn_robot', 'Turn the robot.', {
  direction: oneOf(['north', 'east', 'south', 'west'], 'Where it should look'),
})
const log = tool('set_log_level', 'Set how much is logged.', {
  component: text('Name of the component'),
  level: oneOf(['trace', 'debug', 'info', 'warn', 'error'], 'Level'),
})
const convert = tool('convert', 'Convert a quantity.', {
  value: number('Quantity'),
  from: oneOf(['km', 'mi', 'm', 'ft'], 'Unit of the quantity'),
  to: oneOf(['km', 'mi', 'm', 'ft'], 'Unit wanted'),
})

const enums = define('enum', {
  light: (dice) => {
    const [mode, words2] = dice.pick([
      ['warm_white', 'warm white'],
      ['night_light', 'a night light'],
      ['off', 'off'],
    ] as const)
    const room = dice.pick(['kitchen', 'hall', 'attic'])
    return {
      says: `Switch the light in the ${room} to ${words2}.`,
      tools: [light, timer],
      calls: [{ name: light.name, arguments: { room, mode } }],
    }
  },
  priority: (dice) => {
    const title = `The ${dice.pick(words)} page is blank`
    return {
      says: `Create a ticket titled "${title}". It is a bug, and of the most urgent kind there is.`,
      tools: [ticket, mail],
      calls: [{ name: ticket.name, arguments: { title, priority: 'P0', kind: 'bug' } }],
    }
  },
  wish: (dice) => {
    const title = `Export ${dice.pick(words)} as PDF`
    return {
      says: `Create a ticket titled "${title}". It is a feature wish, with the lowest priority.`,
      tools: [ticket, mail],
      calls: [{ name: ticket.name, arguments: { title, priority: 'P3', kind: 'feature' } }],
    }
  },
  direction: (dice) => {
    const [direction, clue] = dice.pick([
      ['east', 'where the sun rises'],
      ['west', 'where the sun sets'],
      ['north', 'where a compass needle points'],
    ] as const)
    return {
      says: `Make the robot look ${clue}.`,
      tools: [turnTo, timer],
      calls: [{ name: turnTo.name, arguments: { direction } }],
    }
  },
  'log level': (dice) => {
    const [component, level] = [dice.pick(words), dice.pick(['warn', 'error', 'trace'])]
    return {
      says: `Set the log level of the component "${component}" to ${level}.`,
      tools: [log, timer],
      calls: [{ name: log.name, arguments: { component, level } }],
    }
  },
  units: (dice) => {
    const value = dice.whole(5, 95)
    return {
      says: `How many miles are ${value} kilometers? Use the tool.`,
      tools: [convert, timer],
      calls: [{ name: convert.name, arguments: { value, from: 'km', to: 'mi' } }],
    }
  },
})

const event = tool('create_event', 'Put an event into the calendar.', {
  title: text('Title'),
  attendees: list(object({ name: text('First name'), email: text('Address') }), 'Who is invited'),
})
const order = tool('place_order', 'Place an order.', {
  customer: object({ name: text('Name'), address: object({ street: text('Street and number'), city: text('City') }) }),
  items: list(object({ sku: text('Article number'), quantity: integer('How many') }), 'What is ordered'),
})
const query = tool('query_table', 'Query a table.', {
  table: text('Name of the table'),
  where: list(
    object({ column: text('Column'), operator: oneOf(['=', '<', '>'], 'Comparison'), value: number('Value') }),
    'Conditions, all of which must hold',
  ),
  limit: integer('Most rows'),
})
const matrix = tool('determinant', 'Compute the determinant of a matrix.', {
  rows: list(list(integer('A cell'), 'A row'), 'The rows'),
})
const tags = tool('set_tags', 'Replace the tags of a document.', {
  id: integer('Number of the document'),
  tags: list(text('A tag'), 'The tags'),
})

const nested = define('nested', {
  invitations: (dice) => {
    const [title, invited] = [`${dice.pick(words)} review`, dice.several(people, 2)]
    const attendees = invited.map((name) => ({ name, email: `${name}@example.com` }))
    return {
      says: `Create an event "${title}" and invite ${attendees.map(({ name, email }) => `${name} (${email})`).join(' and ')}, in this order.`,
      tools: [event, mail],
      calls: [{ name: event.name, arguments: { title, attendees } }],
    }
  },
  order: (dice) => {
    const [name, city] = [dice.pick(people), dice.pick(cities)]
    const [street, sku, quantity] = [`Mill Lane ${dice.whole(1, 99)}`, `A-${dice.whole(100, 999)}`, dice.whole(2, 9)]
    return {
      says: `Place an order for the customer ${name}, who lives at ${street} in ${city}: ${quantity} pieces of article ${sku}.`,
      tools: [order, mail],
      calls: [
        { name: order.name, arguments: { customer: { name, address: { street, city } }, items: [{ sku, quantity }] } },
      ],
    }
  },
  conditions: (dice) => {
    const [least, most, limit] = [dice.whole(10, 40), dice.whole(60, 90), dice.whole(5, 50)]
    return {
      says: `Query the table "orders" for rows where total is greater than ${least}, and where age is less than ${most}. At most ${limit} rows. Give the conditions in this order.`,
      tools: [query, readFile],
      calls: [
        {
          name: query.name,
          arguments: {
            table: 'orders',
            where: [
              { column: 'total', operator: '>', value: least },
              { column: 'age', operator: '<', value: most },
            ],
            limit,
          },
        },
      ],
    }
  },
  matrix: (dice) => {
    const rows = Array.from({ length: 3 }, () => Array.from({ length: 3 }, () => dice.whole(-9, 9)))
    return {
      says: `Compute the determinant of the matrix with the rows ${rows.map((row) => `(${row.join(', ')})`).join(', ')}.`,
      tools: [matrix, add],
      calls: [{ name: matrix.name, arguments: { rows } }],
    }
  },
  'a list of words': (dice) => {
    const [id, given] = [dice.whole(100, 999), dice.several(words, 4)]
    return {
      says: `Set the tags of document ${id} to ${given.join(', ')}, in this order.`,
      tools: [tags, searchText],
      calls: [{ name: tags.name, arguments: { id, tags: [...given] } }],
    }
  },
  'an empty list': (dice) => {
    const id = dice.whole(100, 999)
    return {
      says: `Remove all tags from document ${id}, so that it has none left.`,
      tools: [tags, searchText],
      calls: [{ name: tags.name, arguments: { id, tags: [] } }],
    }
  },
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
