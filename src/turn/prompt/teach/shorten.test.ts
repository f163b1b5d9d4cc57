import { expect, test } from 'vitest'
import type { Tool } from '../../../protocol/tool.ts'
import { compileParameters } from '../../../schema/compile.ts'
import { firstSentences, type ListingStyle, shortenTools } from './shorten.ts'

const long = 'A long story about this one. '.repeat(40)
const tool: Tool = {
  kind: 'function',
  name: 'read',
  description: `Reads for you. ${long}`,
  parameters: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title: 'read',
    properties: {
      path: { type: 'string', title: 'Path', description: long, examples: ['/a', '/b'], pattern: '^/' },
      mode: { enum: ['fast', 'slow'], description: 'How', default: 'fast' },
      title: { anyOf: [{ type: 'string', description: long }, { type: 'null' }], default: null },
    },
    required: ['path'],
    additionalProperties: false,
  },
}
const styles: readonly ListingStyle[] = ['full', 'short', 'signatures']

function shorten(one: Tool, style: ListingStyle): Tool {
  const [shortened = one] = shortenTools([one], style)
  return shortened
}

test('each style takes less than the one before', () => {
  const sizes = styles.map((style) => JSON.stringify(shorten(tool, style)).length)
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) / 3)
})

test.each(styles)('%s: names, kinds, values and what is required stay, and it is the same every time', (style) => {
  const short = shorten(tool, style)
  expect(shorten(structuredClone(tool), style)).toEqual(short)
  const node = compileParameters(short.parameters)
  expect([node.properties, node.required]).toEqual([['path', 'mode', 'title'], ['path']])
  expect(node.property('mode').values).toEqual(['fast', 'slow'])
  expect(node.property('title').types).toBe(compileParameters(tool.parameters).property('title').types)
})

test('what says nothing about a call goes; a default and one example stay', () => {
  expect(shorten(tool, 'short').parameters).toEqual({
    type: 'object',
    properties: {
      path: {
        type: 'string',
        description:
          'A long story about this one. A long story about this one. A long story about this one. A long story about this one.',
        pattern: '^/',
        examples: ['/a'],
      },
      mode: { enum: ['fast', 'slow'], description: 'How', default: 'fast' },
      title: {
        anyOf: [
          {
            type: 'string',
            description:
              'A long story about this one. A long story about this one. A long story about this one. A long story about this one.',
          },
          { type: 'null' },
        ],
      },
    },
    required: ['path'],
  })
})

test('a strict tool stays closed', () => {
  expect(shorten({ ...tool, strict: true }, 'short').parameters).toHaveProperty('additionalProperties', false)
})

test('parameters that only the description explains are explained where they stand', () => {
  const python: Tool = {
    kind: 'function',
    name: 'move',
    description:
      'Moves a file.\n\nArgs:\n    source: Where it is\n    target (str): Where it goes\n\nReturns:\n    Whether it did',
    parameters: { type: 'object', properties: { source: { type: 'string' }, target: { type: 'string' } } },
  }
  expect(shorten(python, 'short')).toMatchObject({
    description: 'Moves a file.',
    parameters: { properties: { source: { description: 'Where it is' }, target: { description: 'Where it goes' } } },
  })
})

test.each<[ListingStyle, string]>([
  ['full', 'Reads.\nExample: {"path":"/a"}\nExample: {"path":"/b"}'],
  ['short', 'Reads.\nExample: {"path":"/a"}'],
  ['signatures', 'Reads.\nExample: {"path":"/a"}'],
])('%s: calls that the client gave as examples are told', (style, description) => {
  const examples = [{ path: '/a' }, { path: '/b' }]
  expect(shorten({ ...tool, description: 'Reads.', examples }, style).description).toBe(description)
})

test.each([
  ['One. Two. Three.', 10, 'One. Two.'],
  ['See e.g. this one. And that.', 20, 'See e.g. this one.'],
  ['Lines\n\n  and   spaces', 40, 'Lines and spaces'],
  ['a sentence without an end that goes on', 20, 'a sentence without…'],
  ['x'.repeat(30), 10, `${'x'.repeat(9)}…`],
])('%j in %i characters', (text, most, wanted) => {
  expect(firstSentences(text, most)).toBe(wanted)
})
