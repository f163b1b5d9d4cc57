import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What an import writes after `from`, and the file behind it. */
export const entries = [
  { name: 'dragoman/engine', file: 'engine' },
  { name: 'dragoman/core', file: 'core' },
  { name: 'dragoman/fetch', file: 'fetch' },
  { name: 'dragoman/ai-sdk', file: 'ai-sdk' },
  { name: 'dragoman', file: 'index' },
] as const

/** One exported name: how it is declared, overloads included, and what is said of it. */
export interface Declared {
  readonly name: string
  readonly kind: string
  /** Without its comments. */
  readonly text: string
  /** The comment before it, as one paragraph. */
  readonly about: string
}

/** The exported names of every entry, as the compiler declares them. */
export function readDeclarations(): ReadonlyMap<string, readonly Declared[]> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-declarations-'))
  try {
    const flags = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder]
    const { status, stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...flags], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stdout)
    return new Map(entries.map(({ name, file }) => [name, exportsOf(join(folder, `${file}.d.ts`))]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function exportsOf(path: string): readonly Declared[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';/gm)]
    .flatMap(([, names = '', from = '']) => {
      const source = readFileSync(join(dirname(path), from.replace(/\.ts$/, '.d.ts')), 'utf8')
      const listed = names.split(',').map((name) => name.trim().replace(/^type /, ''))
      return listed.filter((name) => name !== '').map((name) => declarationOf(source, name, from))
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const comment = /\/\*\*.*?\*\/\s*/gs

function declarationOf(source: string, name: string, from: string): Declared {
  const again = /^export type \{[^}]*\} from|^import .*from '([^']+)';\nexport type \{/m
  const pattern = new RegExp(`^export (?:declare )?(function|const|class|interface|type) ${name}\\b`, 'gm')
  const found = [...source.matchAll(pattern)]
  const [first] = found
  if (first === undefined)
    throw new Error(`${name} is not declared in ${from}${again.test(source) ? ', only passed on' : ''}`)
  const texts = found.map(({ index }) => statementAt(source, index).replaceAll(comment, ''))
  return { name, kind: first[1] ?? '', text: texts.join('\n'), about: commentBefore(source, first.index) }
}

/** A statement up to its last brace or semicolon. */
function statementAt(source: string, start: number): string {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    const character = source.charAt(at)
    if (source.startsWith('/**', at)) at = source.indexOf('*/', at) + 1
    else if ('{(['.includes(character)) depth++
    else if ('})]'.includes(character)) depth--
    const isEnd =
      character === ';' ||
      (character === '}' && /^\s*(?:export|\/\*\*|declare|import|$)/.test(source.slice(at + 1, at + 40)))
    if (depth === 0 && isEnd) return source.slice(start, at + 1)
  }
  return source.slice(start).trimEnd()
}

function commentBefore(source: string, index: number): string {
  const before = source.slice(0, index)
  const start = before.lastIndexOf('/**')
  const end = before.lastIndexOf('*/')
  if (start === -1 || before.slice(end + 2).trim() !== '') return ''
  return before
    .slice(start + 3, end)
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trim())
    .join(' ')
    .trim()
}
