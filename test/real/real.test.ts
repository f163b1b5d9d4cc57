import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textOf } from '../../src/protocol/message.ts'
import { startOpenAiDouble } from '../doubles/openai-compat.ts'
import { native, speak } from '../doubles/speak.ts'
import { errands, openFolder } from './errands.ts'
import { drawQuestions } from './questions.ts'
import type { Row } from './report.ts'

const few = 20
const questions = drawQuestions(few)
const folder = mkdtempSync(join(tmpdir(), 'dragoman-real-'))

/** Knows the answer to every question, and says only half of them natively. */
const model = startOpenAiDouble({
  models: ['scripted'],
  respond(body) {
    const text = JSON.stringify(body['messages'])
    const question = questions.find(({ request }) =>
      request.messages.every(({ content }) => text.includes(JSON.stringify(textOf(content)).slice(1, -1))),
    )
    if (question === undefined) throw new Error(`no question for ${text.slice(-300)}`)
    const { solution, request } = question
    const way = Array.isArray(body['tools']) ? native : 'hermes'
    const isRight = way === 'hermes' || questions.indexOf(question) % 2 === 0
    const { calls, words = 'of course' } = isRight ? solution : { calls: [{ name: 'no_such_tool', arguments: {} }] }
    return speak(way, { ...(calls.length > 0 ? { calls } : { text: `That is ${words}.` }), tools: request.tools })
  },
})

let url = ''
beforeAll(async () => {
  url = (await model).url
})
afterAll(async () => {
  await (await model).close()
  rmSync(folder, { recursive: true })
})

async function run(...more: readonly string[]) {
  const args = [
    '--endpoint',
    url,
    '--only',
    'questions',
    '--questions',
    String(few),
    '--keep',
    join(folder, 'kept.jsonl'),
  ]
  const { stdout } = await promisify(execFile)(process.execPath, ['test/real/run.ts', ...args, ...more, '--json'])
  return JSON.parse(stdout) as { readonly questions: readonly Row[] }
}

test('a short run asks every arm the same questions, compares them, and asks nothing again', {
  timeout: 60_000,
}, async () => {
  const { questions: rows } = await run('--arms', 'native,hermes')
  expect(rows).toMatchObject([
    { arm: 'native', asked: few, right: few / 2, won: 0, lost: 0, p: 1, failed: 0 },
    { arm: 'hermes', asked: few, right: few, won: few / 2, lost: 0, failed: 0 },
  ])
  expect(rows[1]?.p).toBeLessThan(0.01)
  const before = (await model).requests.length
  const again = await run('--arms', 'straight,native,hermes')
  expect(again.questions.map(({ arm, right }) => [arm, right])).toEqual([
    ['straight', few / 2],
    ['native', few / 2],
    ['hermes', few],
  ])
  const asked = (await model).requests.slice(before).filter(({ path }) => path.endsWith('/chat/completions'))
  expect(asked.length).toBe(few)
})

test('there are enough questions, each with a name of its own and both kinds among them', () => {
  const all = drawQuestions()
  expect(all.length).toBeGreaterThanOrEqual(150)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  const silent = all.filter(({ solution }) => solution.calls.length === 0)
  expect(silent.length).toBeGreaterThan(all.length / 8)
  expect(questions.length).toBe(few)
})

/** What each errand leaves behind when it is done. */
const done: Readonly<Record<string, readonly [answer: string, files?: Readonly<Record<string, string>>]>> = {
  'read one file': ['The code word is marzipan.'],
  'read one value': ['Port 8080.'],
  'create a file': ['Done.', { 'hello.txt': 'hello world\n' }],
  'create a file in a new folder': ['Done.', { 'out/list.txt': 'red\ngreen\nblue\n' }],
  'edit a value': ['Done.', { 'config.ini': '[server]\nhost = localhost\nport = 9090\ndebug = false\n' }],
  'edit code': ['Done.', { 'greet.py': 'def greet(name):\n    return "Goodbye, " + name\n' }],
  'run a command': ['It has 37 lines.'],
  'list a folder': ['There are alpha.ts and bravo.ts.'],
  search: ['It is in two.txt.'],
  rename: ['Done.', { 'draft.md': '', 'final.md': '# Title\n' }],
  'two files': ['42'],
  'a script, and run it': ['It prints 144.', { 'square.py': 'print(12 * 12)\n' }],
  'no tool: a question': ['HyperText Markup Language.'],
  'no tool: thanks': ['You are welcome.'],
}

test.each(errands)('the errand "$name" is done when it is, and not before', ({ name, files, isDone }) => {
  const [answer = '', changed = {}] = done[name] ?? []
  const before = (path: string) => files[path]
  const after = (path: string) => ({ ...files, ...changed })[path] || undefined
  const isUnchanged = () => Object.keys(changed).length === 0
  expect(isDone({ read: before, isUnchanged: () => true }, '')).toBe(false)
  expect(isDone({ read: after, isUnchanged }, answer)).toBe(true)
})

test('a folder knows whether an errand changed it', () => {
  const [path, text] = [join(folder, 'a.txt'), 'one\n']
  writeFileSync(path, text)
  expect(openFolder(folder, { 'a.txt': text }).isUnchanged()).toBe(true)
  writeFileSync(path, 'two\n')
  expect(openFolder(folder, { 'a.txt': text }).isUnchanged()).toBe(false)
  expect(openFolder(folder, {}).read('b.txt')).toBeUndefined()
})
