import { describe, expect, test } from 'vitest'
import type { Tool } from '../protocol/tool.ts'
import { pickTools } from './pick.ts'

function tool(name: string, description: string, ...parameters: string[]): Tool {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }]))
  return { kind: 'function', name, description, parameters: { type: 'object', properties } }
}

const coding = [
  tool('read_file', 'Read the contents of a file', 'path'),
  tool('write_file', 'Write content to a file', 'path', 'content'),
  tool('list_files', 'List the files of a directory', 'directory'),
  tool('execute_command', 'Run a shell command', 'command'),
  tool('get_weather', 'Get the current weather in a given location', 'location', 'unit'),
  tool('web_fetch', 'Fetch a page from the web', 'url'),
  tool('searchDocs', 'Search the documentation', 'query'),
]

describe('the message decides', () => {
  test.each<[string, string[]]>([
    ['Read the file package.json', ['read_file']],
    ['Please read src/index.ts', ['read_file']],
    ['Show me README.md', ['read_file']],
    ['write_file please', ['write_file']],
    ['Write "hello" to notes.txt', ['write_file']],
    ['List the files in src', ['list_files']],
    ['Run `npm test`', ['execute_command']],
    ["What's the weather in Paris?", ['get_weather']],
    ['What is the weather in Paris, France?', ['get_weather']],
    ['Fetch https://example.com/a', ['web_fetch']],
    ['Search the docs for back-pressure', ['searchDocs']],
    ['Read a.txt and b.txt', ['read_file', 'read_file']],
    ['Read a.txt, b.txt and c.txt', ['read_file', 'read_file', 'read_file']],
    ['What is the weather in Paris and London?', ['get_weather', 'get_weather']],
    ['Read a.txt and then list the files in src', ['read_file', 'list_files']],
    ['Read a.txt and tell me what it says', ['read_file']],
    ['Read a.txt. What does it say?', ['read_file']],
    ['Write "this and that" to a.txt', ['write_file']],
    ['Hello, how are you?', []],
    ['Tell me a joke about files', []],
    ['', []],
  ])('%s', (message, names) => {
    expect(pickTools(message, coding).map((asked) => asked.tool.name)).toEqual(names)
  })
})

test('who must call calls, however unlikely', () => {
  expect(pickTools('Hello', coding, true)).toHaveLength(1)
  expect(pickTools('Hello', [], true)).toEqual([])
})

test('each call gets its own part of the message', () => {
  const clauses = pickTools('First, read a.txt and b.txt', coding).map((asked) => asked.clause)
  expect(clauses).toEqual(['First, read a.txt', 'b.txt'])
})

test('a message that asks for everything gets a bounded number of calls', () => {
  const message = Array.from({ length: 50 }, (_, index) => `read ${index}.txt`).join(' and ')
  expect(pickTools(message, coding)).toHaveLength(8)
})
