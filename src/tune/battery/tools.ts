import type { JsonSchema } from '../../protocol/json.ts'
import type { Tool } from '../../protocol/tool.ts'

type Properties = Readonly<Record<string, JsonSchema>>

/** A tool whose arguments are all required but those named after them. */
export function tool(
  name: string,
  description: string,
  properties: Properties = {},
  optional: readonly string[] = [],
): Tool {
  const required = Object.keys(properties).filter((key) => !optional.includes(key))
  return { kind: 'function', name, description, parameters: { type: 'object', properties, required } as JsonSchema }
}

export const text = (description: string): JsonSchema => ({ type: 'string', description })
export const number = (description: string): JsonSchema => ({ type: 'number', description })
export const integer = (description: string): JsonSchema => ({ type: 'integer', description })
export const flag = (description: string): JsonSchema => ({ type: 'boolean', description })
export const oneOf = (values: readonly string[], description: string): JsonSchema => ({
  type: 'string',
  enum: [...values],
  description,
})
export const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description })
export const object = (properties: Properties): JsonSchema =>
  ({ type: 'object', properties, required: Object.keys(properties) }) as JsonSchema

export const weather = tool('get_weather', 'Get the current weather in a city.', { city: text('Name of the city') })
export const readFile = tool('read_file', 'Read a text file.', { path: text('Path of the file') })
export const writeFile = tool('write_file', 'Create a text file, or replace what is in it.', {
  path: text('Path of the file'),
  content: text('The whole content of the file'),
})
const listFiles = tool('list_files', 'List the files in a folder.', { path: text('Path of the folder') })
export const searchText = tool('search_text', 'Find the lines of all files that match a pattern.', {
  pattern: text('A regular expression'),
  path: text('Folder to look in'),
})
export const runCommand = tool('run_command', 'Run a shell command and return what it prints.', {
  command: text('The command line'),
})
export const add = tool('add_numbers', 'Add two numbers.', { a: number('First number'), b: number('Second number') })
export const multiply = tool('multiply_numbers', 'Multiply two numbers.', {
  a: number('First number'),
  b: number('Second number'),
})
export const timer = tool('set_timer', 'Start a timer.', {
  minutes: integer('How long, in minutes'),
  label: text('What it is for'),
})
export const mail = tool('send_email', 'Send an email.', {
  to: text('Address of the receiver'),
  subject: text('Subject line'),
  body: text('The text'),
})
export const time = tool('get_time', 'Get the current date and time. Takes no arguments.')

export const everyday = [weather, timer, mail, add] as const
export const coding = [readFile, writeFile, listFiles, searchText, runCommand] as const

export const cities = [
  'Paris',
  'Tokyo',
  'Nairobi',
  'Lima',
  'Oslo',
  'Hanoi',
  'Toronto',
  'Lisbon',
  'Dakar',
  'Perth',
] as const
export const people = ['anna', 'bjorn', 'chidi', 'dana', 'emeka', 'farah', 'goran', 'hiro'] as const
export const files = [
  'src/main.py',
  'docs/notes.md',
  'config/app.toml',
  'lib/parse.ts',
  'test/data.json',
  'README.md',
] as const
export const words = [
  'river',
  'copper',
  'lantern',
  'meadow',
  'harbor',
  'pepper',
  'saddle',
  'violet',
  'walnut',
  'zephyr',
] as const
