import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { patients, startPatient } from '../doubles/patient.ts'
import { createFolder, runDragoman } from '../dragoman.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function start(name: keyof typeof patients) {
  const patient = await startPatient(patients[name])
  undo.push(patient.close)
  return patient
}

function place(files: Readonly<Record<string, string>> = {}) {
  const made = createFolder(files)
  undo.push(made.remove)
  return made
}

test('a healthy server: everything works, exit code 0, in lines of 80 characters', async () => {
  const { port } = await start('healthy')
  const { code, out } = await runDragoman(['doctor', '--discover', String(port)], place())
  expect(out).toContain('vLLM at http://127.0.0.1')
  expect(out).toContain('Everything works.')
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(code).toBe(0)
})

test('a sick one: exit code 1, and as JSON', async () => {
  const { url } = await start('cutting')
  const { code, out } = await runDragoman(['doctor', '--upstream', url, '--json'], place())
  expect(code).toBe(1)
  const report = JSON.parse(out)
  expect(report.fine).toBe(false)
  expect(report.machine.map(({ check }: { check: string }) => check)).toEqual([
    'node',
    'config',
    'port',
    'clock',
    'proxy',
  ])
  expect(report.services[0]).toMatchObject({ service: 'default', product: 'Ollama', model: 'llama3.2:3b' })
  expect(report.services[0].findings).toContainEqual(
    expect.objectContaining({
      check: 'context',
      verdict: 'bad',
      fix: expect.stringContaining('OLLAMA_CONTEXT_LENGTH'),
    }),
  )
})

test('--write makes a config that is valid and names what works', async () => {
  const [picky, healthy] = [await start('picky'), await start('healthy')]
  const { folder } = place()
  const args = ['doctor', '--discover', `${healthy.port},${picky.port}`, '--write', 'dragoman.yaml']
  const { complaints } = await runDragoman(args, { folder })
  expect(complaints).toContain('Wrote dragoman.yaml.')
  const text = readFileSync(join(folder, 'dragoman.yaml'), 'utf8')
  expect(text).toMatch(/^# yaml-language-server: \$schema=/)
  expect(text).toContain('Qwen/Qwen3-8B:\n    upstream: vllm\n    tools: native\n')
  expect(text).toContain('template: { system: false, alternate: true }')
  expect((await runDragoman(['config', 'check'], { folder })).code).toBe(0)
})

test('--write keeps what else stands in the file, and the old file', async () => {
  const { url } = await start('parserless')
  const text = `# mine\nlog: debug\nupstreams: { a: { kind: openai, url: "${url}" } } # here\n`
  const { folder } = place({ 'dragoman.yaml': text })
  const { complaints } = await runDragoman(['doctor', '--write', 'dragoman.yaml'], { folder })
  expect(complaints).toContain('The old file is dragoman.yaml.bak.')
  expect(readFileSync(join(folder, 'dragoman.yaml.bak'), 'utf8')).toBe(text)
  const after = readFileSync(join(folder, 'dragoman.yaml'), 'utf8')
  expect(after).toMatch(/^# mine\nlog: debug\nupstreams: /)
  expect(after).toContain('models:\n  Qwen/Qwen3-8B:\n    upstream: a\n    tools: prompt\n')
})

test('a config file that is wrong is told line by line, and nothing is examined', async () => {
  const { folder } = place({ 'dragoman.yaml': 'lisen: 1\nmodels: 7\n' })
  const { code, out } = await runDragoman(['doctor'], { folder })
  expect(code).toBe(1)
  expect(out.replace(/\s+/g, ' ')).toContain('unknown key "lisen". Did you mean "listen"?')
})

test('with no server at all it says what to do', async () => {
  const { code, out } = await runDragoman(['doctor'], place())
  expect(code).toBe(1)
  expect(out).toContain('No model server is running on this machine')
})

test('a port somebody else has is told', async () => {
  const other = createServer((_request, response) => void response.end('hello'))
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  undo.push(() => other.close())
  const { port } = other.address() as AddressInfo
  const { url } = await start('healthy')
  const { folder } = place({
    'dragoman.yaml': `listen: 127.0.0.1:${port}\nupstreams: { a: { kind: openai, url: "${url}" } }\n`,
  })
  const { out, code } = await runDragoman(['doctor'], { folder, environment: { HTTPS_PROXY: 'http://proxy:3128' } })
  expect(out).toContain(`Another program has 127.0.0.1:${port}`)
  expect(out).toContain('HTTPS_PROXY is set. Your servers are local')
  expect(code).toBe(0)
})

test('--model is tried where it is, and nowhere else', async () => {
  const [healthy, leaking] = [await start('healthy'), await start('leaking')]
  const where = ['doctor', '--discover', `${healthy.port},${leaking.port}`, '--json', '--model']
  const { out } = await runDragoman([...where, 'mystery'], place())
  expect(JSON.parse(out).services).toMatchObject([{ model: 'mystery', address: leaking.url }])
  const lost = await runDragoman([...where, 'mystry'], place())
  expect(lost.code).toBe(1)
  expect(lost.complaints).toContain('No server has a model "mystry".')
})

test('wrong usage is exit code 2', async () => {
  const { code } = await runDragoman(['doctor', '--discover', 'everywhere'], place())
  expect(code).toBe(2)
})
