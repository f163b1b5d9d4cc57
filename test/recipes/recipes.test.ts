import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recipes, withLine } from './recipes.ts'

/** What the copy needs to be checked and tested. */
const copied = [
  'src',
  'bench',
  'test',
  'scripts',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'biome.json',
  'biome.imports.jsonc',
]

/** The suites that go over a registry. */
const suites = [
  'test/laws/laws.test.ts',
  'test/laws/texts.test.ts',
  'test/goldens',
  'test/turn/teach.test.ts',
  'test/turn/rehearsal.test.ts',
  'test/upstreams/contract',
  'test/doors/contract.test.ts',
]

interface Report {
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

describe('the recipes of ARCHITECTURE.md, followed in a copy of the tree', () => {
  let root: string
  let passed: readonly string[] = []
  let failed: readonly string[] = []

  const inCopy = (program: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const inherited = Object.entries(env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV')
    return spawnSync(execPath, [join('node_modules', program), ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...Object.fromEntries(inherited), ...variables },
      maxBuffer: 64 << 20,
    })
  }

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'dragoman-recipes-'))
    for (const path of copied) cpSync(path, join(root, path), { recursive: true })
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
    for (const { files, registry, line } of recipes) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), text)
      }
      writeFileSync(join(root, registry), withLine(readFileSync(registry, 'utf8'), line))
    }
    const ran = inCopy(
      'vitest/vitest.mjs',
      ['run', ...suites, '-t', 'made-up', '--reporter=json', '--outputFile=report.json'],
      {
        DRAGOMAN_LAW_RUNS: '40',
      },
    )
    const report = JSON.parse(readFileSync(join(root, 'report.json'), 'utf8')) as Report
    const all = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    passed = all.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName)
    failed = all
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`)
    if (!report.success && failed.length === 0) failed = [ran.stdout + ran.stderr]
  }, 240_000)

  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test('every suite is passed', () => {
    expect(failed).toEqual([])
  })

  test.each([
    ['dialect', 'made-up what was printed is read back'],
    ['dialect', 'made-up one call'],
    ['upstream', 'made-up who stops reading has hung up'],
    ['flavour', 'openai, as made-up native calls come in pieces, or tools are refused in words'],
    ['door', 'the door "made-up" /made-up/ask what is no JSON is refused in its words'],
  ])('a %s is tested without a word about it: %s', (_, name) => {
    expect(passed).toContain(name)
  })

  test('the compiler and the import rules have nothing against them', () => {
    const added = recipes.flatMap(({ files, registry }) => [...Object.keys(files), registry])
    const compiled = inCopy('typescript/bin/tsc', ['--noEmit'])
    expect(compiled.stdout + compiled.stderr).toBe('')
    const linted = inCopy('@biomejs/biome/bin/biome', [
      'lint',
      '--colors=off',
      '--vcs-enabled=false',
      ...added.filter((path) => path.endsWith('.ts')),
    ])
    expect([linted.status, linted.stdout + linted.stderr]).toEqual([0, expect.any(String)])
  }, 120_000)

  test('each touches its own files and one registry, and nothing else', () => {
    const touched = copied.flatMap(filesBelow).filter((path) => !isSame(path, join(root, path)))
    const told = recipes.map(({ adds, files, registry }) => ({ adds, touches: [...Object.keys(files), registry] }))
    console.log(told.map(({ adds, touches }) => `${adds}: ${touches.join(', ')}`).join('\n'))
    expect(touched.toSorted()).toEqual(told.flatMap(({ touches }) => touches).toSorted())
  })

  function filesBelow(path: string): readonly string[] {
    if (!statSync(join(root, path)).isDirectory()) return [path]
    return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
      .map((name) => join(path, name))
      .filter((name) => statSync(join(root, name)).isFile())
  }
})

function isSame(original: string, copy: string): boolean {
  return existsSync(original) && readFileSync(original).equals(readFileSync(copy))
}
