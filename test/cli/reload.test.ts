import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway, untilSaid } from '../dragoman.ts'

const whole = `upstreams: { r: { kind: rehearsal } }
models: { one: {}, two: {} }
keys:
  - first-key
  - second-key
`

async function serve() {
  const gateway = await startGateway({ config: whole })
  onTestFinished(gateway.stop)
  let said = ''
  gateway.child.stderr.on('data', (piece: string) => {
    said += piece
  })
  const models = async (key?: string) => {
    const response = await fetch(
      `${gateway.origin}/v1/models`,
      key === undefined ? {} : { headers: { 'x-api-key': key } },
    )
    if (response.status !== 200) return response.status
    const { data } = (await response.json()) as { data: { id: string }[] }
    return data.map(({ id }) => id).filter((id) => id !== 'rehearsal')
  }
  return { ...gateway, models, path: join(gateway.folder, 'dragoman.yaml'), said: () => said }
}

const cut = (at: string): string => whole.slice(0, whole.indexOf(at))

test.each<[string, (path: string) => void, RegExp]>([
  ['is emptied', (path) => writeFileSync(path, ''), /dragoman\.yaml: has no settings in it any more\. /],
  ['holds only blanks', (path) => writeFileSync(path, '\n  \n'), /has no settings in it any more/],
  ['holds only comments', (path) => writeFileSync(path, `# ${whole.replaceAll('\n', '\n# ')}`), /has no settings/],
  ['holds an empty object', (path) => writeFileSync(path, '{}\n'), /has no settings in it any more/],
  ['holds null', (path) => writeFileSync(path, 'null\n'), /has no settings in it any more/],
  ['holds the begin of a document', (path) => writeFileSync(path, '---\n'), /has no settings in it any more/],
  ['is deleted', (path) => rmSync(path), /dragoman\.yaml: there is no such file/],
  ['is renamed away', (path) => renameSync(path, `${path}.old`), /dragoman\.yaml: there is no such file/],
  [
    'becomes a folder',
    (path) => {
      rmSync(path)
      mkdirSync(path)
    },
    /dragoman\.yaml: cannot be read/,
  ],
  ['is cut off before its keys', (path) => writeFileSync(path, cut('keys:')), /dragoman\.yaml: keys: missing, /],
  [
    'is cut off in a list',
    (path) => writeFileSync(path, cut('  - first')),
    /keys: expected a list of keys; found nothing/,
  ],
  ['is cut off in a word', (path) => writeFileSync(path, cut('one: {}')), /dragoman\.yaml:2/],
  [
    'is replaced by an empty one',
    (path) => {
      writeFileSync(`${path}.new`, '')
      renameSync(`${path}.new`, path)
    },
    /has no settings in it any more/,
  ],
  ['is overwritten without its keys', (path) => writeFileSync(path, 'models: { three: {} }\n'), /keys: missing, /],
])('a configuration that %s is refused, and nothing is lost', async (_what, change, words) => {
  const { child, path, models } = await serve()
  const refused = untilSaid(child.stderr, /the old one stays:\n.*\n/)
  change(path)
  expect(await refused).toMatch(words)
  expect(await models()).toBe(401)
  expect(await models('first-key')).toEqual(['one', 'two'])
  rmSync(path, { recursive: true, force: true })
  const taken = untilSaid(child.stderr, /configuration loaded from .*\n/)
  writeFileSync(path, whole.replace('two: {}', 'three: {}'))
  await taken
  expect(await models('second-key')).toEqual(['one', 'three'])
})

test.each<[string, string, RegExp, unknown]>([
  ['one key goes', whole.replace('  - second-key\n', ''), /\n {2}Client keys: 0 added, 1 removed\.\n/, 401],
  ['a key is changed', whole.replace('second', 'third'), /\n {2}Client keys: 1 added, 1 removed\.\n/, 401],
  [
    'all go, said aloud',
    `${cut('keys:')}keys: []\n`,
    /\n {2}Client keys: all removed\. Every program on this machine can use the gateway now\.\n/,
    ['one', 'two'],
  ],
  [
    'a model goes',
    whole.replace(', two: {}', ''),
    /configuration loaded from [^\n]*\n {2}Models: removed two\.\n$/,
    401,
  ],
  ['a door is closed', `${whole}doors: [chat]\n`, /\n {2}Doors: removed [^\n]*ollama\.\n$/, 401],
  [
    'an upstream and a model come',
    whole.replace('} }', '}, s: { kind: rehearsal } }').replace('one: {}, two: {}', 'one: { upstream: s }'),
    /\n {2}Upstreams: added s\.\n {2}Models: removed two\.\n$/,
    401,
  ],
])('keys, models and upstreams do not change without a word: %s', async (_what, text, words, open) => {
  const { child, path, models } = await serve()
  const taken = untilSaid(child.stderr, words)
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
  expect(await taken).not.toMatch(/first-key|second-key|third-key/)
  expect(await models()).toEqual(open)
})

test('pages and hosts that are allowed are taken up too', async () => {
  const { child, path, origin } = await serve()
  const asked = {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
  }
  const preflight = async () => (await fetch(`${origin}/v1/chat/completions`, asked)).status
  expect(await preflight()).toBe(403)
  const taken = untilSaid(child.stderr, /configuration loaded/)
  writeFileSync(path, `${whole}allowed_origins: [http://localhost:3000]\n`)
  await taken
  expect(await preflight()).toBe(204)
})

test('a file behind a link, in a folder that cannot be watched, is noticed too', async () => {
  const { child, path, folder, models } = await serve()
  mkdirSync(join(folder, 'elsewhere'))
  const real = join(folder, 'elsewhere', 'real.yaml')
  writeFileSync(real, whole)
  symlinkSync(real, `${path}.link`)
  renameSync(`${path}.link`, path)
  const taken = untilSaid(child.stderr, /configuration loaded/)
  writeFileSync(real, whole.replace('two: {}', 'three: {}'))
  await taken
  expect(await models('first-key')).toEqual(['one', 'three'])
})

test('a folder that was replaced, as a mount is, does not end the watch', async () => {
  const { child, folder, models } = await serve()
  const refused = untilSaid(child.stderr, /there is no such file/)
  renameSync(folder, `${folder}-old`)
  onTestFinished(() => rmSync(`${folder}-old`, { recursive: true }))
  await refused
  const taken = untilSaid(child.stderr, /configuration loaded/)
  mkdirSync(folder)
  writeFileSync(join(folder, 'dragoman.yaml'), whole.replace('two: {}', 'three: {}'))
  await taken
  expect(await models('first-key')).toEqual(['one', 'three'])
})

test('a write that is seen halfway is taken up once it is whole', async () => {
  const { child, path, models, said } = await serve()
  const taken = untilSaid(child.stderr, /configuration loaded/)
  const text = whole.replace('two: {}', 'three: {}')
  writeFileSync(path, '')
  // An empty file says nothing when it is seen, so there is nothing to wait for but the time a slow writer takes.
  await new Promise((done) => setTimeout(done, 300))
  writeFileSync(path, text)
  await taken
  expect(await models('first-key')).toEqual(['one', 'three'])
  expect(said()).not.toContain('refused')
})
