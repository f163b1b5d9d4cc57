import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toRules, withTable } from '../../scripts/walls/make.ts'
import { arrows, beside, folders, pure, rooms, roots, windows } from '../../scripts/walls/table.ts'

const targets = [...folders, 'dialects/dialect.ts', 'upstreams/upstream.ts', ...roots]

const impure = [
  'process.cwd()',
  'console.log(1)',
  'Date.now()',
  'new Date()',
  'performance.now()',
  'crypto.randomUUID()',
  'setTimeout(String, 1)',
  "fetch('/')",
  "Buffer.from('a')",
  'globalThis.process',
  'Math.random()',
]

interface Case {
  readonly path: string
  readonly code: string
  readonly fails: string | undefined
}

function toCases(): readonly Case[] {
  const cases: Case[] = []
  const add = (path: string, code: string, fails: string | undefined) =>
    cases.push({ path: `src/${path}`, code, fails })

  const toImport = (from: string, target: string) => {
    const up = '../'.repeat(from.split('/').length - 1)
    return `import '${up}${target.endsWith('.ts') ? target : `${target}/some-file.ts`}'`
  }
  const addArrow = (from: string, target: string, allowed: boolean) =>
    add(from, toImport(from, target), allowed ? undefined : 'noRestrictedImports')
  const isOpen = (open: readonly string[], target: string) =>
    open.includes(target) || open.includes(target.split('/')[0] ?? '')

  for (const folder of folders) {
    for (const target of targets) {
      if (target.split('/')[0] === folder) continue
      const slug = target.replaceAll(/\W/g, '-')
      addArrow(`${folder}/to-${slug}.ts`, target, isOpen(arrows[folder] ?? [], target))
      addArrow(`${folder}/deep/to-${slug}.ts`, target, isOpen(arrows[folder] ?? [], target))
    }
    add(`${folder}/own.ts`, "import './other.ts'", undefined)
    add(`${folder}/deep/own.ts`, "import '../other.ts'", undefined)
    add(`${folder}/to-node.ts`, "import 'node:fs'", folder in pure ? 'noRestrictedImports' : undefined)
    add(`${folder}/to-package.ts`, "import 'undici'", folder in pure ? 'noRestrictedImports' : undefined)
    const reads = pure[folder]?.includes('yaml') ?? true
    add(`${folder}/to-yaml.ts`, "import 'yaml'", reads ? undefined : 'noRestrictedImports')
  }
  for (const [folder, open] of Object.entries(beside)) {
    for (const target of [...targets, 'traces/exchange.ts']) {
      const slug = target.replaceAll(/\W/g, '-')
      const code = `import '../../src/${target.endsWith('.ts') ? target : `${target}/some-file.ts`}'`
      cases.push({
        path: `${folder}/deep/to-${slug}.ts`,
        code,
        fails: isOpen(open, target) ? undefined : 'noRestrictedImports',
      })
    }
    cases.push({ path: `${folder}/deep/own.ts`, code: "import '../engine/own.ts'", fails: undefined })
  }
  for (const { example, also } of windows) {
    const own = example.split('/')[0] ?? ''
    for (const target of targets)
      if (!target.startsWith(own)) addArrow(example, target, isOpen([...also, ...(arrows[own] ?? [])], target))
  }

  for (const folder of Object.keys(pure))
    for (const [index, code] of impure.entries())
      add(
        `${folder}/impure-${index}.ts`,
        `export const value = ${code}`,
        code.startsWith('Math') ? 'noJsRestrictedProperties' : 'noRestrictedGlobals',
      )

  add('engine/as-type.ts', "import type { A } from '../turn/a.ts'", 'noRestrictedImports')
  add('engine/again.ts', "export { a } from '../turn/a.ts'", 'noRestrictedImports')
  add('engine/later.ts', "export const later = import('../turn/a.ts')", 'noRestrictedImports')
  add('engine/free.test.ts', "import '../turn/a.ts'\nexport const now = Date.now()", undefined)
  add('errors-free.ts', "import './cli/a.ts'", undefined)
  for (const root of roots) add(root, "import './protocol/a.ts'", 'noRestrictedImports')
  add('turn/round.ts', "import './trip.ts'", 'noImportCycles')
  add('turn/trip.ts', "import './round.ts'", 'noImportCycles')
  return cases
}

const wallRules = new Set(['noRestrictedImports', 'noRestrictedGlobals', 'noJsRestrictedProperties', 'noImportCycles'])

interface Finding {
  readonly category?: string
  readonly location?: { readonly path?: string | { readonly file?: string } }
}

/** Lints every case in one run of the linter, with the project's own rules. Answers the wall rules broken, by file. */
function lint(
  root: string,
  cases: readonly { readonly path: string; readonly code: string }[],
): Map<string, Set<string>> {
  for (const { path, code } of cases) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${code}\n`)
  }
  const config = JSON.parse(readFileSync('biome.json', 'utf8'))
  writeFileSync(join(root, 'biome.walls.json'), readFileSync('biome.walls.json'))
  writeFileSync(join(root, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }))
  const biome = join(process.cwd(), 'node_modules/.bin/biome')
  const run = spawnSync(biome, ['lint', '--colors=off', '--reporter=json', '--max-diagnostics=none', '.'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  const found = new Map<string, Set<string>>()
  for (const finding of JSON.parse(run.stdout).diagnostics as readonly Finding[]) {
    const rule = finding.category?.split('/').at(-1) ?? ''
    const where = finding.location?.path
    const file = typeof where === 'string' ? where : where?.file
    if (file === undefined || !wallRules.has(rule)) continue
    found.set(file, (found.get(file) ?? new Set()).add(rule))
  }
  return found
}

/** One path may stand in several cases: each round holds it once, so that none overwrites another. */
function toRounds(cases: readonly Case[]): readonly (readonly Case[])[] {
  const rounds: Case[][] = []
  for (const one of cases) {
    const round = rounds.find((others) => others.every((other) => other.path !== one.path))
    if (round) round.push(one)
    else rounds.push([one])
  }
  return rounds
}

describe('the walls', () => {
  const roots: string[] = []
  const verdicts: { readonly path: string; readonly expected: string; readonly actual: string }[] = []

  beforeAll(() => {
    for (const round of toRounds(toCases())) {
      const root = mkdtempSync(join(tmpdir(), 'dragoman-walls-'))
      roots.push(root)
      const found = lint(root, round)
      for (const { path, code, fails } of round) {
        const broken = [...(found.get(path) ?? [])].join(' ')
        verdicts.push({ path, expected: `${path}: ${code} → ${fails ?? ''}`, actual: `${path}: ${code} → ${broken}` })
      }
    }
  }, 60_000)

  afterAll(() => {
    for (const root of roots) rmSync(root, { recursive: true, force: true })
  })

  test.each([...folders, ...roots.map((root) => root.replace('.ts', ''))])(
    '%s imports what it may and nothing else',
    (name) => {
      const mine = verdicts.filter(({ path }) => path.startsWith(`src/${name}`))
      expect(mine.length).toBeGreaterThan(1)
      expect(mine.map(({ actual }) => actual)).toEqual(mine.map(({ expected }) => expected))
    },
  )

  test.each(Object.keys(beside))('%s, beside src, sees what it may of it and nothing else', (name) => {
    const mine = verdicts.filter(({ path }) => path.startsWith(`${name}/`))
    expect(mine.length).toBeGreaterThan(1)
    expect(mine.map(({ actual }) => actual)).toEqual(mine.map(({ expected }) => expected))
  })

  test('the rules and the page are made from the table', () => {
    expect(JSON.parse(readFileSync('biome.walls.json', 'utf8'))).toEqual(toRules())
    expect(readFileSync('ARCHITECTURE.md', 'utf8')).toBe(withTable(readFileSync('ARCHITECTURE.md', 'utf8')))
  })

  test('every room of the picture exists', () => {
    for (const [folder, names] of Object.entries(rooms))
      expect(readdirSync(join('src', folder))).toEqual(expect.arrayContaining([...names]))
  })

  test('every folder of src stands behind a wall', () => {
    const present = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders).toEqual(expect.arrayContaining(present.map((entry) => entry.name)))
  })
})
