import type { Terminal } from './terminal.ts'

/** The thing asked about is not fine: told in one line, exit code 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** A whole file as text, or standard input for `-`. */
export async function readText(terminal: Terminal, path: string): Promise<string> {
  let text = ''
  for await (const piece of decoded(terminal, path)) text += piece
  return text
}

/**
 * A file line by line, without the line ends. Not `node:readline`: that one also breaks lines at U+2028, which may
 * stand inside a JSON string.
 */
export async function* readLines(terminal: Terminal, path: string): AsyncGenerator<string> {
  let rest: string[] = []
  for await (const piece of decoded(terminal, path)) {
    const lines = piece.split('\n')
    for (const line of lines.slice(0, -1)) {
      rest.push(line)
      yield rest.join('').replace(/\r$/, '')
      rest = []
    }
    rest.push(lines.at(-1) ?? '')
  }
  const last = rest.join('')
  if (last !== '') yield last
}

export async function readJson(terminal: Terminal, path: string): Promise<unknown> {
  const text = await readText(terminal, path)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal(`${nameOf(path)} is not valid JSON: ${(error as SyntaxError).message}`)
  }
}

async function* decoded(terminal: Terminal, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  try {
    for await (const piece of terminal.open(path)) {
      yield typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    }
  } catch (error) {
    throw new Refusal(`I can't read ${nameOf(path)}: ${(error as Error).message}`)
  }
  yield decoder.decode()
}

/** How a path is called in a message. */
export function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path
}
