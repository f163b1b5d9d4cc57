import type { Dialect, ToolListing } from '../../../dialects/dialect.ts'
import { printCalls } from '../../../engine/print.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { exampleArguments } from '../../../schema/example.ts'
import { describeParameters } from './describe.ts'
import { listAsPseudo } from './listings/pseudo.ts'
import { listAsPython } from './listings/python.ts'
import { listAsQwenXml } from './listings/qwen-xml.ts'
import { listAsTypeScript } from './listings/typescript.ts'
import { printJson } from './listings/words.ts'

/** Between a tool's parameters and the example of its call. */
export const usageHeading = '\n\nUsage:\n'

/** One tool in each style of listing. */
export const listings: Readonly<Record<ToolListing['style'], (tool: Tool, dialect: Dialect) => string>> = {
  'openai-json': (tool) => printJson({ type: 'function', function: toFunction(tool) }),
  'function-json': (tool) => printJson(toFunction(tool)),
  'indented-json': (tool) => JSON.stringify({ type: 'function', function: toFunction(tool) }, null, 4),
  'sorted-json': (tool) => JSON.stringify(sortKeys({ type: 'function', function: toFunction(tool) })),
  'xml-tool': listAsXml,
  'qwen-xml': listAsQwenXml,
  typescript: listAsTypeScript,
  python: listAsPython,
  pseudo: listAsPseudo,
  markdown: listAsMarkdown,
}

/** A call of a tool with plausible arguments, printed by the dialect's own grammar. */
function printExample(tool: Tool, dialect: Dialect): string {
  const call = { id: 'call_1', name: tool.name, arguments: JSON.stringify(exampleArguments(tool.parameters)) }
  return printCalls(dialect, [call], [tool])
}

function toFunction({ name, description, parameters }: Tool): JsonObject {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: toParameters(parameters),
  }
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sortKeys(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sortKeys(value[key] ?? null)]),
  )
}

function toParameters(parameters: Tool['parameters']): Json {
  return parameters ?? { type: 'object', properties: {} }
}

function listAsXml({ name, description, parameters }: Tool): string {
  const words = description === undefined ? '' : `<description>${description}</description>\n`
  return `<tool name="${name}">\n${words}<parameters>${printJson(toParameters(parameters))}</parameters>\n</tool>`
}

function listAsMarkdown(tool: Tool, dialect: Dialect): string {
  const parameters = describeParameters(tool.parameters)
  const lines = [`## ${tool.name}`]
  if (tool.description !== undefined) lines.push(`Description: ${tool.description.trim()}`)
  lines.push(...(parameters.length === 0 ? ['Parameters: none'] : ['Parameters:', ...parameters]))
  return lines.join('\n') + usageHeading + printExample(tool, dialect)
}
