import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway } from '../dragoman.ts'

const run = promisify(execFile)
const root = process.cwd()
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

describe('the package, run by npx from its tarball in an empty folder', () => {
  const { npm_config_local_prefix: _, ...outer } = process.env
  let scratch = ''
  let empty = ''
  let env: NodeJS.ProcessEnv = {}
  let tarball = ''
  let version = ''
  let installed = ''
  let contents: readonly string[] = []
  let program: readonly [string, string] = ['', '']

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'dragoman-package-'))
    empty = join(scratch, 'empty')
    mkdirSync(empty)
    mkdirSync(join(scratch, 'cache'))
    env = {
      ...outer,
      PATH: `${dirname(process.execPath)}:${outer['PATH']}`,
      // npx keeps what it installs in the cache folder: here that is ours, with the machine's downloads behind it.
      npm_config_cache: join(scratch, 'cache'),
      npm_config_prefer_offline: 'true',
    }
    const cache = (await run('npm', ['config', 'get', 'cache'], { cwd: empty, env: outer })).stdout.trim()
    mkdirSync(join(cache, '_cacache'), { recursive: true })
    symlinkSync(join(cache, '_cacache'), join(scratch, 'cache/_cacache'))

    await run('npm', ['pack', '--pack-destination', scratch], { cwd: root, env })
    tarball = join(scratch, `dragoman-${manifest.version}.tgz`)
    const npx = await run('npx', ['--yes', `--package=${tarball}`, 'dragoman', '--version'], { cwd: empty, env })
    version = npx.stdout.trim()

    const [home] = readdirSync(join(scratch, 'cache/_npx'))
    installed = join(scratch, 'cache/_npx', home ?? '', 'node_modules')
    contents = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    program = [process.execPath, join(installed, 'dragoman', manifest.bin.dragoman)]
  }, 180_000)

  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  test('prints its version', () => {
    expect(version).toBe(manifest.version)
  })

  test('says in one line which Node it needs, on one that is too old', async () => {
    const disguise = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })"
    const failure = await run(program[0], ['--import', disguise, program[1]], { cwd: empty, env }).catch(
      (error) => error,
    )
    expect(failure).toMatchObject({ code: 1, stdout: '' })
    expect(failure.stderr).toMatch(/^Dragoman needs Node [\d.]+ or newer, and this is Node 20\.20\.2\. .+\n$/)
  })

  test('lists its dialects', async () => {
    const { stdout } = await run(program[0], [program[1], 'dialects', '--json'], { cwd: empty, env })
    const names = JSON.parse(stdout).map((dialect: { name: string }) => dialect.name)
    expect(names).toEqual(expect.arrayContaining(['hermes', 'roo-xml', 'xml-name-args', 'json-fence']))
  })

  test('serves a completion with a tool call', async () => {
    const gateway = await startGateway({ command: program, environment: env })
    try {
      const { data } = (await (await fetch(`${gateway.origin}/v1/models`)).json()) as { data: { id: string }[] }
      const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          model: data[0]?.id,
          messages: [{ role: 'user', content: 'Use get_weather for the city "Oslo".' }],
          tools: [
            {
              type: 'function',
              function: {
                name: 'get_weather',
                parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
              },
            },
          ],
        }),
      })
      expect(response.status).toBe(200)
      const [choice] = ((await response.json()) as { choices: unknown[] }).choices
      expect(choice).toMatchObject({
        finish_reason: 'tool_calls',
        message: {
          tool_calls: [{ type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
        },
      })
    } finally {
      await gateway.stop()
    }
  }, 30_000)

  test('is typed for those who import it', async () => {
    const consumer = join(dirname(installed), 'consumer.mts')
    const names = ["import * as dragoman from 'dragoman'", "import * as engine from 'dragoman/engine'"]
    writeFileSync(consumer, `${names.join('\n')}\nexport const both = [dragoman, engine]\n`)
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024']
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    await run(join(root, 'node_modules/.bin/tsc'), [...flags, ...types, consumer], { cwd: dirname(installed) })
  }, 30_000)

  test('the engine alone asks for its pure folders, for yaml, and for nothing else', async () => {
    const entry = join(dirname(installed), 'entry.mjs')
    const lines = [
      "import { registerHooks } from 'node:module'",
      'const asked = []',
      'const resolve = (specifier, context, next) => {',
      '  const found = next(specifier, context)',
      "  if (context.parentURL?.includes('/dragoman/dist/')) asked.push(specifier.startsWith('.') ? found.url : specifier)",
      '  return found',
      '}',
      'registerHooks({ resolve })',
      "await import('dragoman/engine')",
      'process.stdout.write(JSON.stringify(asked))',
    ]
    writeFileSync(entry, lines.join('\n'))
    const { stdout } = await run(process.execPath, [entry], { cwd: dirname(installed), env })
    const asked = JSON.parse(stdout).map((url: string) => url.split('/dist/')[1]?.split('/')[0] ?? url)
    expect(asked.length).toBeGreaterThan(0)
    expect(['protocol', 'schema', 'dialects', 'engine', 'errors.js', 'yaml']).toEqual(expect.arrayContaining(asked))
  })

  test('holds the built program, its licence, its readme and the schema of its config, and no source, test or map', () => {
    const own = contents.filter((path) => path.startsWith('dragoman/')).map((path) => path.slice('dragoman/'.length))
    const top = own.filter((path) => !path.startsWith('dist'))
    expect(top.toSorted()).toEqual(['LICENSE', 'README.md', 'dragoman.schema.json', 'package.json'])
    expect(own.filter((path) => /\.test\.|(?<!\.d)\.ts$|\.map$/.test(path))).toEqual([])
  })

  test('brings nothing that runs at install time and nothing native', () => {
    expect(contents.filter((path) => path.endsWith('.node') || path.endsWith('binding.gyp'))).toEqual([])
    const scripts = contents
      .filter((path) => /^(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      .filter((path) => {
        const { scripts = {} } = JSON.parse(readFileSync(join(installed, path), 'utf8'))
        return 'preinstall' in scripts || 'install' in scripts || 'postinstall' in scripts
      })
    expect(scripts).toEqual([])
  })

  test('brings few packages', () => {
    const packages = contents.filter((path) => /^(@[^/]+\/)?[^/@.]+\/package\.json$/.test(path))
    expect(packages.length).toBeLessThanOrEqual(15)
  })
})

test('the lockfile names no place that packages come from', () => {
  expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"resolved"')
})

test('the lockfile knows every platform, so that npm ci works on each', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const optional = Object.values<{ optionalDependencies?: object }>(packages).flatMap((one) =>
    Object.keys(one.optionalDependencies ?? {}),
  )
  expect(optional.length).toBeGreaterThan(0)
  expect(optional.filter((name) => !(`node_modules/${name}` in packages))).toEqual([])
})

test('the lockfile has a hash for every package', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { '': _project, ...installed } = packages as Record<string, { integrity?: string }>
  const bare = Object.entries(installed).flatMap(([path, { integrity }]) => (integrity === undefined ? [path] : []))
  expect(bare).toEqual([])
})
