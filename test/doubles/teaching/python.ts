import type { Tool } from '../../../src/protocol/tool.ts'
import { argumentsHeading, fence } from '../../../src/turn/prompt/teach/listings/python.ts'
import { readParameters } from './markdown.ts'

/** Reads back the tools that were listed as Python functions. */
export function readPython(list: string): readonly Tool[] {
  const heads = [...list.matchAll(/^def ([\w-]+)\(.*\):\n/gm)]
  return heads.map(({ 0: head, 1: name = '', index }, place): Tool => {
    const body = list.slice(index + head.length, heads[place + 1]?.index ?? list.length)
    const doc = body.slice(fence.length + 1, body.lastIndexOf(`\n${fence}`) + 1)
    const at = doc.lastIndexOf(`${argumentsHeading}\n`)
    const words = strip(at === -1 ? doc : doc.slice(0, at)).trim()
    const lines = at === -1 ? [] : strip(doc.slice(at + argumentsHeading.length + 1)).split('\n')
    const tool: Tool = { kind: 'function', name, parameters: readParameters(lines, 0) }
    return words === '' ? tool : { ...tool, description: words }
  })
}

function strip(text: string): string {
  return text.replace(/^ {4}/gm, '')
}
