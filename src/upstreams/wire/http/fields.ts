import type { IncomingHttpHeaders } from 'node:http'
import { HttpFault } from './fault.ts'

const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i
/** RFC 9110: visible characters, blanks, tabs, and what older servers write beyond ASCII. */
const value = /^[\t\x20-\x7e\x80-\xff]*$/

/** Reads lines of fields, each with its end, as RFC 9112 has them: nothing is guessed where a line is odd. */
export function readFields(lines: readonly string[]): IncomingHttpHeaders {
  const fields: Record<string, string | string[]> = Object.create(null)
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    const said = line.slice(colon + 1)
    // A line that begins with a blank would go on with the one before it: nobody may write that any more.
    if (!token.test(name) || !value.test(said)) throw new HttpFault('a header line is malformed')
    add(fields, name, trimBlanks(said))
  }
  return fields
}

function add(fields: Record<string, string | string[]>, name: string, said: string): void {
  const before = fields[name]
  if (name === 'set-cookie') fields[name] = [...(Array.isArray(before) ? before : []), said]
  else if (before === undefined) fields[name] = said
  else if (name === 'content-length') throw new HttpFault('two content lengths')
  else fields[name] = `${String(before)}, ${said}`
}

function trimBlanks(text: string): string {
  return text.replace(/^[\t ]+|[\t ]+$/g, '')
}

/** Prints fields. What would end a line, and so begin another, is refused. */
export function printFields(fields: Readonly<Record<string, string>>): string {
  let lines = ''
  for (const name of Object.keys(fields)) {
    const said = fields[name] ?? ''
    if (!token.test(name) || !value.test(said)) throw new Error(`The header ${JSON.stringify(name)} is not valid.`)
    lines += `${name}: ${said}\r\n`
  }
  return lines
}
