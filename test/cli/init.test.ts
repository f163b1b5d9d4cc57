import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { patients, startPatient } from '../doubles/patient.ts'
import { createFolder, runDragoman } from '../dragoman.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

function place(files: Readonly<Record<string, string>> = {}) {
  const made = createFolder(files)
  undo.push(made.remove)
  return made
}

test('without a terminal to ask in it writes a valid, commented file with what runs here', async () => {
  const patient = await startPatient(patients.healthy)
  undo.push(patient.close)
  const { folder } = place()
  const made = await runDragoman(['init', '--discover', String(patient.port)], { folder })
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('Wrote dragoman.yaml.') })
  const text = readFileSync(join(folder, 'dragoman.yaml'), 'utf8')
  expect(text).toMatch(/^# yaml-language-server: \$schema=.*dragoman\.schema\.json\n/)
  expect(text).toContain(`upstreams:\n  vllm:\n    kind: openai\n    url: ${patient.url}\n`)
  expect((await runDragoman(['config', 'check'], { folder })).out).toContain('OK (1 upstream, 0 models)')
})

test('with no server the file is valid, too', async () => {
  const { folder } = place()
  await runDragoman(['init'], { folder })
  expect((await runDragoman(['config', 'check'], { folder })).code).toBe(0)
})

test('a file that is there is never overwritten', async () => {
  const { folder } = place({ 'dragoman.yaml': '# mine\n' })
  const { code, complaints } = await runDragoman(['init'], { folder })
  expect(code).toBe(1)
  expect(complaints).toContain('dragoman.yaml is already there.')
  expect(readFileSync(join(folder, 'dragoman.yaml'), 'utf8')).toBe('# mine\n')
})
