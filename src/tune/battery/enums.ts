import { define } from './task.ts'
import { mail, number, oneOf, text, timer, tool, words } from './tools.ts'

/** One call, with words of which only some are allowed. */

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

export const enums = define('enum', {
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
