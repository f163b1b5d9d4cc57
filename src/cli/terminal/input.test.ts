import { expect, test } from 'vitest'
import { readJson, readLines, readText } from './input.ts'
import type { Terminal } from './terminal.ts'

function given(pieces: readonly (string | Uint8Array)[], failure?: Error): Terminal {
  async function* open() {
    yield* pieces
    if (failure) throw failure
  }
  return { open } as unknown as Terminal
}

async function linesOf(pieces: readonly (string | Uint8Array)[]): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLines(given(pieces), '-')) lines.push(line)
  return lines
}

test.each<[string[], string[]]>([
  [[], []],
  [['a\nb\n'], ['a', 'b']],
  [
    ['a\nb', 'c', '\r\nd'],
    ['a', 'bc', 'd'],
  ],
  [
    ['\n', '\n'],
    ['', ''],
  ],
  [['"x\u2028y"\n'], ['"x\u2028y"']],
])('%j is read as lines', async (pieces, lines) => {
  expect(await linesOf(pieces)).toEqual(lines)
})

test('a character cut in two is put together', async () => {
  const bytes = new TextEncoder().encode('ü')
  expect(await readText(given([bytes.slice(0, 1), bytes.slice(1)]), '-')).toBe('ü')
})

test('what cannot be read or is not JSON is refused by name', async () => {
  await expect(readText(given([], new Error('ENOENT')), 'x.txt')).rejects.toThrow("I can't read x.txt: ENOENT")
  await expect(readJson(given(['{']), '-')).rejects.toThrow('standard input is not valid JSON')
})
