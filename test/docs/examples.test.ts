import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, type RunningGateway, runDragoman, startGateway } from '../dragoman.ts'
import { curl, readExamples, settle, toWords } from './example.ts'

const examples = readExamples(readFileSync('README.md', 'utf8'))

describe('the examples of README.md', () => {
  let gateway: RunningGateway

  beforeAll(async () => {
    gateway = await startGateway()
  }, 30_000)

  afterAll(() => gateway.stop())

  async function print(command: string): Promise<string> {
    const words = toWords(command)
    if (words[0] === 'curl') return await curl(words, gateway.origin)
    // `npm start --silent -- VERB …` is the program with the words after the dashes.
    const args = words.slice(words.indexOf('--') + 1)
    return (await runDragoman(args, gateway)).out
  }

  test('there is one with a tool call', () => {
    expect(examples.map(({ name }) => name)).toContain('tool-call')
  })

  test('the one with a tool call is what the program proposes when it starts', () => {
    const example = examples.find(({ name }) => name === 'tool-call')
    expect(settle(gateway.banner)).toContain(example?.command)
  })

  test('the start screen is what the program shows', () => {
    const [, shown = 'none'] = /<!-- start -->\n```text\n([\s\S]*?)\n```/.exec(readFileSync('README.md', 'utf8')) ?? []
    const withoutPath = settle(gateway.banner).replace(/\n {2}Config: .*/, '')
    expect(withoutPath).toContain(shown)
    expect(shown).toContain('rehearsal')
  })

  test.each(examples)('$name prints what the document says', async ({ command, language, output }) => {
    const printed = settle(await print(command))
    const told = settle(output)
    if (language === 'json') expect(JSON.parse(printed)).toEqual(JSON.parse(told))
    else expect(printed).toBe(told)
  })
})

test("README.md's configuration is a right one", async () => {
  const yaml = /<!-- config -->\n```yaml\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? ''
  const { folder, remove } = createFolder({ 'dragoman.yaml': yaml })
  const { out } = await runDragoman(['config', 'print', '--json'], { folder, environment: { DRAGOMAN_KEY: 'a-key' } })
  remove()
  expect(JSON.parse(out)).toMatchObject({ models: { 'qwen3-coder': { upstream: 'local' } } })
})

describe('reading examples', () => {
  const page = '<!-- example: one -->\n```sh\ncurl -s \'a b\' \\\n  -d "c"\n```\n\nSays:\n\n```json\n{}\n```\n'

  test('a command and what it prints are found around the prose between them', () => {
    expect(readExamples(page)).toEqual([
      { name: 'one', command: 'curl -s \'a b\' \\\n  -d "c"', language: 'json', output: '{}' },
    ])
  })

  test('a command line is cut as a shell would', () => {
    expect(toWords("curl -s 'a b' \\\n  -d \"c\" x'y z'")).toEqual(['curl', '-s', 'a b', '-d', 'c', 'xy z'])
  })
})
