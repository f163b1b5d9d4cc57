import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../protocol/json.ts'
import { fillArguments } from './fill.ts'

function fill(parameters: JsonObject, clause: string): Json {
  return JSON.parse(fillArguments({ kind: 'function', name: 'f', parameters }, clause))
}

function object(properties: JsonObject, ...required: string[]): JsonObject {
  return { type: 'object', properties, required }
}

const text = { type: 'string' }

describe('required arguments are always there', () => {
  test.each<[string, JsonObject, string, Json]>([
    ['a path', object({ path: text }, 'path'), 'Read src/main.ts now', { path: 'src/main.ts' }],
    ['a path in camel case', object({ filePath: text }, 'filePath'), 'read /etc/hosts', { filePath: '/etc/hosts' }],
    ['a quoted path', object({ path: text }, 'path'), 'read "my notes.txt"', { path: 'my notes.txt' }],
    ['a Windows path', object({ path: text }, 'path'), 'read C:\\a\\b.txt', { path: 'C:\\a\\b.txt' }],
    ['a path that is only a word', object({ path: text }, 'path'), 'read the readme', { path: 'readme' }],
    ['a folder that is not named', object({ directory: text }, 'directory'), 'list all', { directory: '.' }],
    ['an address', object({ url: text }, 'url'), 'fetch https://a.example/x?y=1.', { url: 'https://a.example/x?y=1' }],
    ['a command in backticks', object({ command: text }, 'command'), 'run `ls -la`', { command: 'ls -la' }],
    ['a command in words', object({ command: text }, 'command'), 'please run npm test', { command: 'npm test' }],
    ['a place', object({ location: text }, 'location'), 'the weather in New York?', { location: 'New York' }],
    ['a place in lower case', object({ location: text }, 'location'), 'weather in paris', { location: 'paris' }],
    ['a place alone', object({ location: text }, 'location'), 'London', { location: 'London' }],
    ['a query', object({ query: text }, 'query'), 'search for red dragons', { query: 'red dragons' }],
    [
      'path and content',
      object({ path: text, content: text }, 'path', 'content'),
      'write "hello, world" to out.txt',
      { path: 'out.txt', content: 'hello, world' },
    ],
    [
      'content without quotes',
      object({ content: text, path: text }, 'content', 'path'),
      'write hello to out.txt',
      { content: 'hello', path: 'out.txt' },
    ],
    [
      'numbers in order',
      object({ a: { type: 'number' }, b: { type: 'integer' } }, 'a', 'b'),
      'add 1.5 and -7',
      { a: 1.5, b: -7 },
    ],
    ['no number', object({ a: { type: 'integer', minimum: 3 } }, 'a'), 'go', { a: 3 }],
    ['a number out of range', object({ a: { type: 'integer', maximum: 10 } }, 'a'), 'take 50', { a: 10 }],
    ['a boolean', object({ deep: { type: 'boolean' } }, 'deep'), 'go', { deep: false }],
    [
      'a choice that is named',
      object({ unit: { enum: ['celsius', 'fahrenheit'] } }, 'unit'),
      'in Fahrenheit',
      { unit: 'fahrenheit' },
    ],
    ['a choice that is not', object({ unit: { enum: ['celsius', 'fahrenheit'] } }, 'unit'), 'go', { unit: 'celsius' }],
    [
      'a list of paths',
      object({ files: { type: 'array', items: text } }, 'files'),
      'read a.txt b.txt',
      { files: ['a.txt', 'b.txt'] },
    ],
    [
      'a list of numbers',
      object({ n: { type: 'array', items: { type: 'number' } } }, 'n'),
      'sum 1 2 3',
      { n: [1, 2, 3] },
    ],
    [
      'an object',
      object({ where: object({ city: text }, 'city') }, 'where'),
      'go to Rome',
      { where: { city: 'Rome' } },
    ],
    ['a default', object({ mode: { type: 'string', default: 'fast' } }, 'mode'), 'go', { mode: 'fast' }],
    ['something undeclared', { type: 'object', required: ['x'] }, 'go "there"', { x: 'there' }],
    ['a nullable text', object({ path: { type: ['null', 'string'] } }, 'path'), 'read a.txt', { path: 'a.txt' }],
    ['an alternative', object({ path: { anyOf: [{ type: 'null' }, text] } }, 'path'), 'read a.txt', { path: 'a.txt' }],
    [
      'a reference',
      { ...object({ path: { $ref: '#/$defs/p' } }, 'path'), $defs: { p: { type: 'integer' } } },
      'line 7',
      { path: 7 },
    ],
  ])('%s', (_, parameters, clause, expected) => {
    expect(fill(parameters, clause)).toEqual(expected)
  })
})

describe('optional arguments are there only when the message gives them', () => {
  const optional = object({
    path: text,
    limit: { type: 'integer' },
    recursive: { type: 'boolean' },
    unit: { enum: ['c', 'f'] },
    note: text,
  })
  test.each<[string, Json]>([
    ['do it with a.txt and 5 apples', {}],
    ['limit 5', { limit: 5 }],
    ['with a limit of 5', { limit: 5 }],
    ['limit=5, note="x y"', { limit: 5, note: 'x y' }],
    ['list recursively', {}],
    ['make it recursive', { recursive: true }],
    ['not recursive please', { recursive: false }],
    ['unit c', { unit: 'c' }],
  ])('%s', (clause, expected) => {
    expect(fill(optional, clause)).toEqual(expected)
  })
})

test('a tool without parameters gets an empty object', () => {
  expect(fillArguments({ kind: 'function', name: 'f' }, 'anything')).toBe('{}')
})

test('a custom tool gets free text', () => {
  expect(fillArguments({ kind: 'custom', name: 'f' }, 'print "1 + 1"')).toBe('1 + 1')
})

test.each<[string, JsonObject]>([
  ['refers to itself', { $ref: '#' }],
  ['contains itself', object({ child: { $ref: '#' } }, 'child')],
  ['has hostile names', object({ __proto__: text, constructor: text, '(': { type: 'integer' } }, 'constructor', '(')],
])('a schema that %s is filled all the same', (_, parameters) => {
  expect(() => fill(parameters, 'go 3 ( = 4')).not.toThrow()
})
