import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { createFolder, runDragoman, startGateway } from '../dragoman.ts'
import { layOut, startContainer, unlock } from './container.ts'
import { describeExamples } from './examples.ts'
import { installPackage, manifest, run, sizeOf } from './install.ts'

describe('the package, run by npx from its tarball in an empty folder', () => {
  let place: Awaited<ReturnType<typeof installPackage>>

  beforeAll(async () => {
    place = await installPackage()
  }, 180_000)

  afterAll(() => place.remove())

  test('prints its version', () => {
    expect(place.version).toBe(manifest.version)
  })

  test('says in one line which Node it needs, on one that is too old', async () => {
    const disguise = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })"
    const failure = await run(place.program[0], ['--import', disguise, place.program[1]], {
      cwd: place.empty,
      env: place.env,
    }).catch((error) => error)
    expect(failure).toMatchObject({ code: 1, stdout: '' })
    expect(failure.stderr).toMatch(/^Dragoman needs Node [\d.]+ or newer, and this is Node 20\.20\.2\. .+\n$/)
  })

  test('lists its dialects', async () => {
    const { stdout } = await run(place.program[0], [place.program[1], 'dialects', '--json'], {
      cwd: place.empty,
      env: place.env,
    })
    const names = JSON.parse(stdout).map((dialect: { name: string }) => dialect.name)
    expect(names).toEqual(expect.arrayContaining(['hermes', 'roo-xml', 'xml-name-args', 'json-fence']))
  })

  test('serves a completion with a tool call', async () => {
    const gateway = await startGateway({ command: place.program, environment: place.env })
    try {
      const { data } = (await (await fetch(`${gateway.origin}/v1/models`)).json()) as { data: { id: string }[] }
      const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          model: data[0]?.id,
          messages: [{ role: 'user', content: 'Use get_weather for Oslo.' }],
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

  test('the engine alone asks for what is pure, for yaml, and for nothing else', async () => {
    const entry = join(dirname(place.installed), 'entry.mjs')
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
    const { stdout } = await run(process.execPath, [entry], { cwd: dirname(place.installed), env: place.env })
    const asked: readonly string[] = JSON.parse(stdout).map((url: string) => url.split('/dist/')[1] ?? url)
    expect(asked.length).toBeGreaterThan(0)
    const pure =
      /^(?:(?:protocol|schema|dialects|engine|library|turn\/(?:prompt|answer))\/|errors\.js|random-id\.js|yaml)/
    expect(asked.filter((path) => !pure.test(path))).toEqual([])
  })

  test('every dialect can be imported by itself and reads what it prints', async () => {
    const entry = join(dirname(place.installed), 'dialects.mjs')
    const lines = [
      "import { printCalls, readAll } from 'dragoman/core'",
      "import { dialects } from 'dragoman/engine'",
      "const tools = [{ name: 'set_lamp', parameters: { type: 'object', properties: { room: { type: 'string' } } } }]",
      "const call = { name: 'set_lamp', arguments: { room: 'den' } }",
      'const read = []',
      'for (const { name } of dialects) {',
      '  const [dialect] = Object.values(await import(`dragoman/dialects/${name}`))',
      '  const { calls } = readAll(printCalls([call], { dialect, tools }), { dialect, tools })',
      '  read.push([dialect.name, calls.map((made) => made.name + made.arguments)])',
      '}',
      'process.stdout.write(JSON.stringify(read))',
    ]
    writeFileSync(entry, lines.join('\n'))
    const { stdout } = await run(process.execPath, [entry], { cwd: dirname(place.installed), env: place.env })
    const made = JSON.stringify({ room: 'den' })
    const spaced = made.replace(':', ': ')
    const read = JSON.parse(stdout) as readonly (readonly [string, readonly string[]])[]
    expect(read.map(([name]) => name)).toEqual(dialects.map(({ name }) => name))
    expect(read.filter(([, calls]) => ![made, spaced].map((text) => `set_lamp${text}`).includes(calls.join()))).toEqual(
      [],
    )
  })

  test('holds the built program, its licence, its readme and the schema of its config, and no source, test or map', () => {
    const own = place.contents
      .filter((path) => path.startsWith('dragoman/'))
      .map((path) => path.slice('dragoman/'.length))
    const top = own.filter((path) => !path.startsWith('dist'))
    expect(top.toSorted()).toEqual(['LICENSE', 'README.md', 'dragoman.schema.json', 'package.json'])
    expect(own.filter((path) => /\.test\.|(?<!\.d)\.ts$|\.map$/.test(path))).toEqual([])
  })

  test('has the licence of every package that is built into the program', () => {
    const licences = readFileSync(join(place.installed, 'dragoman/dist/cli/LICENSES.md'), 'utf8')
    const named = [...licences.matchAll(/^## (\S+) \S+ \(\S+\)\n\n {4}\S/gm)].map(([, name]) => name)
    expect(named).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)))
  })

  test('brings nothing that runs at install time and nothing native', () => {
    expect(place.contents.filter((path) => path.endsWith('.node') || path.endsWith('binding.gyp'))).toEqual([])
    const scripts = place.contents
      .filter((path) => /^(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      .filter((path) => {
        const { scripts = {} } = JSON.parse(readFileSync(join(place.installed, path), 'utf8'))
        return 'preinstall' in scripts || 'install' in scripts || 'postinstall' in scripts
      })
    expect(scripts).toEqual([])
  })

  test('brings few packages, and little', () => {
    const packages = place.contents.filter((path) => /^(@[^/]+\/)?[^/@.]+\/package\.json$/.test(path))
    expect(packages.length).toBeLessThanOrEqual(9)
    // undici is bundled, once as types and once as code.
    expect(sizeOf(place.installed)).toBeLessThan(18e6)
  })

  test.each([
    { imported: 'fold', most: 2_500 },
    { imported: 'findDialect', most: 60_000 },
    { imported: 'createReader', most: 268_000 },
  ])('a page that imports $imported alone gets at most $most bytes', async ({ imported, most }) => {
    const entry = join(dirname(place.installed), `${imported}.mjs`)
    writeFileSync(entry, `export { ${imported} } from 'dragoman/engine'\n`)
    const bundle = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' })
    const { output } = await bundle.generate({ minify: true })
    await bundle.close()
    expect(output).toHaveLength(1)
    expect(output[0].code).toContain('export')
    expect(output[0].code.length).toBeLessThan(most)
  })

  test('says what to install when its config wants a Redis and the client for it is not there', async () => {
    const folder = createFolder({ 'dragoman.yaml': 'sessions: { store: "redis://127.0.0.1:6379" }\n' })
    const { code, complaints } = await runDragoman(['serve'], { ...folder, command: place.program })
    const doctor = await runDragoman(['doctor', '--json'], { ...folder, command: place.program })
    folder.remove()
    expect(doctor.out).toContain('sessions.store needs the package @redis/client')
    expect(code).toBe(1)
    expect(complaints).toContain('sessions.store: needs the package @redis/client')
    expect(complaints).toContain('`npm install @redis/client`')
  })

  describeExamples(() => place)

  describe('laid out as in the image, for a user who can write nothing', () => {
    let app = ''
    let running: Awaited<ReturnType<typeof startContainer>>
    const key = 'a-key-for-this-test'

    beforeAll(async () => {
      app = layOut(place)
      running = await startContainer(app, { DRAGOMAN_LISTEN: '0.0.0.0:0', DRAGOMAN_KEYS: key })
    }, 60_000)

    afterAll(async () => {
      running.child.kill('SIGKILL')
      await running.outcome
      unlock(app)
    })

    const ask = (path: string, init?: RequestInit) =>
      fetch(running.origin + path, {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      })

    test.runIf(process.getuid?.() === 0 && process.platform === 'linux')('it runs as nobody', () => {
      expect(readFileSync(`/proc/${running.child.pid}/status`, 'utf8')).toMatch(/^Uid:\t65534\t65534/m)
    })

    test('it answers who has a key, and nobody else', async () => {
      const body = JSON.stringify({ model: 'rehearsal', messages: [{ role: 'user', content: 'Hello' }] })
      const answer = await ask('/v1/chat/completions', { method: 'POST', body })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ choices: [{ message: { role: 'assistant' } }] })
      expect((await fetch(`${running.origin}/v1/models`)).status).toBe(401)
    })

    test.each(['/livez', '/readyz'])('%s, which the probes ask, needs no key', async (path) => {
      expect((await fetch(running.origin + path)).status).toBe(200)
    })

    test('the health check of the image says that it is well, and that another port is not', async () => {
      const check = (port: string) =>
        run(process.execPath, [join(app, 'healthcheck.mjs')], { env: { ...place.env, DRAGOMAN_PORT: port } })
      await check(new URL(running.origin).port)
      await expect(check('1')).rejects.toMatchObject({ code: 1 })
    })

    test('it can use a Redis, and starts while that is away', async () => {
      const config = createFolder({
        'dragoman.yaml': 'sessions: { store: "redis://127.0.0.1:1" }\nlisten: 127.0.0.1:0\n',
      })
      const other = await startContainer(app, { DRAGOMAN_CONFIG: join(config.folder, 'dragoman.yaml') }, config.folder)
      expect((await fetch(`${other.origin}/livez`)).status).toBe(200)
      other.child.kill('SIGKILL')
      await other.outcome
      config.remove()
    }, 20_000)

    test('it ends by itself when it is told to stop', async () => {
      running.child.kill('SIGTERM')
      expect(await running.outcome).toMatchObject({ code: 0 })
    }, 20_000)
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
