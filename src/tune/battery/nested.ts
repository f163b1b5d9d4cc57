import { define } from './task.ts'
import {
  add,
  cities,
  integer,
  list,
  mail,
  number,
  object,
  oneOf,
  people,
  readFile,
  searchText,
  text,
  tool,
  words,
} from './tools.ts'

/** One call, with lists and objects in its arguments. */

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

export const nested = define('nested', {
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
