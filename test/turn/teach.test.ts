import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { printResults } from '../../src/engine/print.ts'
import type { Tool, ToolChoice } from '../../src/protocol/tool.ts'
import { compileParameters } from '../../src/schema/compile.ts'
import { printDirectives, teach } from '../../src/turn/prompt/teach/teach.ts'
import { readDirectives } from '../doubles/teaching/directives.ts'
import { readTeaching } from '../doubles/teaching/read.ts'
import { someTools } from './arbitrary.ts'

/** What must survive being taught and read back. */
function essence(tools: readonly Tool[]) {
  return tools.map(({ name, parameters }) => {
    const node = compileParameters(parameters)
    return {
      name,
      // Some models know their schemas with sorted keys.
      parameters: node.properties.toSorted().map((property) => ({
        property,
        required: node.required.includes(property),
        types: node.property(property).types,
      })),
    }
  })
}

const calls = [{ id: 'call_1', name: 'read', arguments: '{"path":"/a"}' }]

describe.each(dialects.map((dialect) => ({ name: dialect.name, dialect })))('taught in $name', ({ dialect }) => {
  test('the tools are heard as they were meant, inside any prompt', () => {
    fc.assert(
      fc.property(someTools, (tools) => {
        const prompt = `Be kind.\n\n${teach(dialect, tools)}\n\nHello, read /a for me.`
        const heard = readTeaching(prompt, prompt)
        expect(heard?.dialect).toBe(dialect.name)
        expect(heard?.question).toBe('Hello, read /a for me.')
        expect(essence(heard?.tools ?? [])).toEqual(essence(tools))
      }),
      { numRuns: 25 },
    )
  })

  test('the same tools are the same bytes', () => {
    fc.assert(
      fc.property(someTools, (tools) => {
        expect(teach(dialect, structuredClone(tools))).toBe(teach(dialect, tools))
      }),
      { numRuns: 5 },
    )
  })

  test('results at the end are told', () => {
    const tools: readonly Tool[] = [{ kind: 'function', name: 'read' }]
    const results = ['first\nresult', '(no output)']
    const printed = printResults(
      dialect,
      results.map((content, place) => ({ id: `call_${place}`, name: 'read', content })),
    )
    const prompt = `${teach(dialect, tools)}\n\nGo.`
    expect(readTeaching(prompt, printed)?.results).toEqual(results)
    expect(readTeaching(prompt, prompt)?.results).toBeUndefined()
  })

  test('every brace of the teaching is filled', () => {
    expect(teach(dialect, [{ kind: 'function', name: 'read' }])).not.toMatch(/\{(?:example|name|tools)\}/)
  })

  test('a heard dialect prints calls', () => {
    expect(readTeaching(teach(dialect, [{ kind: 'function', name: 'read' }]), 'Go.')?.print(calls)).toContain('read')
  })
})

test('a prompt that teaches nothing is heard as nothing', () => {
  expect(readTeaching('Hello.', 'Hello.')).toBeUndefined()
})

const read: Tool = {
  kind: 'function',
  name: 'read',
  description: 'Read a file',
  parameters: {
    type: 'object',
    properties: { filePath: { type: 'string', description: 'File path' } },
    required: ['filePath'],
  },
}
const bash: Tool = {
  kind: 'function',
  name: 'bash',
  description: 'Execute command',
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'Command' },
      description: { type: 'string', description: 'Description' },
    },
    required: ['command', 'description'],
  },
}

test('tags named after the tools are taught with a heading, the parameters and a usage for each', () => {
  const dialect = findDialect('roo-xml')
  expect(
    dialect && teach(dialect, [read, bash]),
  ).toBe(`You have access to tools that help you accomplish tasks. Use tools by outputting XML-formatted tool calls.

## Tool Use Rules
1. Use exactly one tool per message
2. Format tool calls using XML with the tool name as the tag
3. Include all required parameters within parameter tags

## Tool Call Format
<tool_name>
<parameter1>value1</parameter1>
<parameter2>value2</parameter2>
</tool_name>

## Available Tools

## read
Description: Read a file
Parameters:
- filePath: (required) string - File path

Usage:
<read>
<filePath>/path/to/file</filePath>
</read>

## bash
Description: Execute command
Parameters:
- command: (required) string - Command
- description: (required) string - Description

Usage:
<bash>
<command>npm install</command>
<description>What this does</description>
</bash>`)
})

test('a tool without parameters and a custom tool are taught too', () => {
  const dialect = findDialect('roo-xml')
  const taught =
    dialect &&
    teach(dialect, [
      { kind: 'function', name: 'now' },
      { kind: 'custom', name: 'patch' },
    ])
  expect(taught).toContain('## now\nParameters: none\n\nUsage:\n<now>')
  expect(taught).toContain(
    '## patch\nParameters:\n- input: (required) string - The raw text, as it is: no JSON, no code fence around it.\n\nUsage:\n<patch>',
  )
})

const choices: readonly (ToolChoice | undefined)[] = [
  undefined,
  { mode: 'required' },
  { mode: 'named', name: 'mcp__files-list' },
  { mode: 'allowed', names: ['read'], required: false },
  { mode: 'allowed', names: ['read', 'x-y'], required: true },
]

test.each(choices.flatMap((choice) => [true, false].map((onlyOne) => ({ choice, onlyOne }))))(
  'directives are read back as they were written: $choice, only one: $onlyOne',
  ({ choice, onlyOne }) => {
    const said = printDirectives(choice, onlyOne)
    const meant = { ...(choice && { choice }), onlyOne }
    expect(readDirectives(said)).toEqual({ ...meant, rest: '' })
    expect(readDirectives(`\n\n${said}\n\nRead a. Then b.`)).toEqual({ ...meant, rest: 'Read a. Then b.' })
  },
)
