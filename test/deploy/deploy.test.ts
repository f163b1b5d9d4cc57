import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { variables } from '../../scripts/generate/variables.ts'
import { loadAll, verbs } from '../../src/cli/verbs.ts'
import { createFolder, runDragoman } from '../dragoman.ts'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const port = 8484

const read = (path: string): string => readFileSync(path, 'utf8')
const dockerfile = read('deploy/Dockerfile')
const ignored = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const compose = parse(read('deploy/compose.yaml'))
const unit = read('deploy/dragoman.service')
const chart = 'deploy/helm/dragoman'
const templates = readdirSync(`${chart}/templates`).map((name) => read(`${chart}/templates/${name}`))
const workflows = readdirSync('.github/workflows').map((name) => read(`.github/workflows/${name}`))

const loaded = await loadAll(verbs)

/** Of a command line: the verb exists, and it has all the flags. */
function expectUnderstood([name, ...rest]: readonly string[]): void {
  const verb = loaded.find((one) => one.name === name)
  expect(verb?.name).toBe(name)
  const flags = rest.filter((word) => word.startsWith('--'))
  expect(flags.filter((flag) => !verb?.help.includes(flag))).toEqual([])
}

/** What a line of the Dockerfile that begins like this says, as JSON where it is. */
function instruction(name: string): string {
  return new RegExp(`^${name} (.*)$`, 'm').exec(dockerfile)?.[1] ?? ''
}

async function expectRightConfig(yaml: string): Promise<void> {
  const { folder, remove } = createFolder({ 'dragoman.yaml': yaml })
  const outcome = await runDragoman(['config', 'check'], { folder, environment: { DRAGOMAN_KEY: 'a-key' } })
  remove()
  expect(outcome).toMatchObject({ code: 0 })
}

describe('the image', () => {
  test('what it copies is there or is built, and .dockerignore lets it through', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?:--from=build )?(?!--from)(.+) \S+$/gm)]
      .flatMap(([, paths = '']) => paths.split(' '))
      .map((path) => path.replace('/src/', ''))
      .filter((path) => path !== '.' && path !== 'dist')
    expect(copied).toEqual(expect.arrayContaining(['package.json', 'LICENSE', 'deploy/healthcheck.mjs']))
    expect(copied.filter((path) => !existsSync(path) || ignored.some((one) => path.startsWith(one)))).toEqual([])
  })

  test.each(['.git', 'node_modules', 'dragoman.yaml', '.env*'])('%s does not get into it', (path) => {
    expect(ignored).toContain(path)
  })

  test('it starts the program of the package with words it understands', () => {
    expect(JSON.parse(instruction('ENTRYPOINT')).at(-1)).toBe(`/app/${manifest.bin.dragoman}`)
    expectUnderstood(JSON.parse(instruction('CMD')))
  })

  test('it is not root, and its port is the one it listens on', () => {
    expect(instruction('USER')).toMatch(/^[1-9]\d+:[1-9]\d+$/)
    expect(instruction('EXPOSE')).toBe(String(port))
    expect(dockerfile).toContain(`DRAGOMAN_LISTEN=0.0.0.0:${port}`)
    expect(instruction('HEALTHCHECK')).toContain('/app/healthcheck.mjs')
  })
})

test('every variable named DRAGOMAN_… is one the program reads, or one the config next to it names', () => {
  const known = [...variables.map(({ name }) => name), 'DRAGOMAN_KEY', 'DRAGOMAN_IMAGE']
  const texts = [
    dockerfile,
    unit,
    read('deploy/compose.yaml'),
    read('deploy/healthcheck.mjs'),
    ...templates,
    ...workflows,
  ]
  const named = texts.flatMap((text) => [...text.matchAll(/\bDRAGOMAN_[A-Z_]+/g)].map(([name]) => name))
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

describe('the compose file', () => {
  test('its Dragoman has a right config', async () => {
    await expectRightConfig(compose.configs.dragoman.content)
  }, 20_000)

  test('its ports fit each other', () => {
    const { dragoman, 'open-webui': page } = compose.services
    expect(dragoman.ports).toEqual([`127.0.0.1:${port}:${port}`])
    expect(page.environment.OPENAI_API_BASE_URL).toBe(`http://dragoman:${port}/v1`)
    expect(dragoman).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    expect(existsSync(`deploy/${dragoman.build.context}/${dragoman.build.dockerfile}`)).toBe(true)
  })
})

describe('the chart', () => {
  const deployment = read(`${chart}/templates/deployment.yaml`)

  test('it has the version of the package', () => {
    expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({
      version: manifest.version,
      appVersion: manifest.version,
    })
  })

  test('its probes ask what the gateway answers without a key', () => {
    const probes = [...deployment.matchAll(/(\w+Probe):\s+httpGet: \{ path: (\S+), port: http \}/g)]
    expect(Object.fromEntries(probes.map(([, name, path]) => [name, path]))).toEqual({
      startupProbe: '/livez',
      livenessProbe: '/livez',
      readinessProbe: '/readyz',
    })
    expect(deployment).toContain(`containerPort: ${port}`)
  })

  test('it starts the program with words it understands', () => {
    expectUnderstood((/args: \[(.*)\]/.exec(deployment)?.[1] ?? '').split(', '))
  })

  test('every value its templates use is in values.yaml, and the other way round', () => {
    const values = parse(read(`${chart}/values.yaml`))
    const schema = JSON.parse(read(`${chart}/values.schema.json`))
    const used = new Set(templates.flatMap((text) => [...text.matchAll(/\.Values\.(\w+)/g)].map(([, name]) => name)))
    const overrides = ['nameOverride', 'fullnameOverride']
    expect([...used].toSorted()).toEqual([...Object.keys(values), ...overrides].toSorted())
    expect(Object.keys(schema.properties).toSorted()).toEqual([...used, 'global'].toSorted())
  })
})

test('the systemd unit starts the program with words it understands, and gives it time to finish', () => {
  const [, words = ''] = /^ExecStart=\/opt\/dragoman\/bin\/dragoman (.*)$/m.exec(unit) ?? []
  expectUnderstood(words.split(' '))
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? []
  expect(Number(seconds)).toBeGreaterThan(10)
})

test('the workflows run scripts that exist', () => {
  const scripts = workflows.flatMap((text) =>
    [...text.matchAll(/npm (?:run )?(test|(?<=run )[\w:]+)/g)].map(([, name = '']) => name),
  )
  expect(scripts).toEqual(expect.arrayContaining(['test']))
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([])
  const paths = workflows.flatMap((text) =>
    [...text.matchAll(/(?<![\w./])(?:\.ci|deploy|scripts)\/[\w./-]+/g)].map(([path]) => path),
  )
  expect(paths.length).toBeGreaterThan(4)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})

test('every action of the workflows is named by its commit', () => {
  const used = workflows.flatMap((text) => [...text.matchAll(/uses: (\S+)/g)].map(([, name = '']) => name))
  expect(used.filter((name) => !name.startsWith('./') && !/@[0-9a-f]{40}$/.test(name))).toEqual([])
})
