import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { codexCatalogue } from '../../src/cli/connect/clients/codex-catalogue.ts'
import { answer, refusal } from '../doubles/openai-compat.ts'
import { native, type Said, speak } from '../doubles/speak.ts'
import { type Play, startCodexWorld } from './codex.ts'

/** Codex, which speaks responses only, in continuous integration: it is large. A name decides which tools it offers. */
const unknown = 'some-model'
const patching = 'gpt-5.5'
const scripting = 'gpt-5.6-sol'
const columns = [native, 'hermes', 'roo-xml', 'qwen3-coder', 'json-fence']

const content = 'first "line" \\ <b>\nsécond 😀 line\n'
const patch = `*** Begin Patch\n*** Add File: made.txt\n${content.replace(/^(?=.)/gm, '+')}*** End Patch\n`
const write = `printf '%s' '${content}' > made.txt; wc -l made.txt`
const script = `const made = await tools.exec_command({cmd: ${JSON.stringify(write)}}); text(made.output)`

/** Reads a file, writes one by the means this name is given, and counts its lines. */
const errands: Readonly<Record<string, readonly Said[]>> = {
  [unknown]: [
    { text: 'I will look.', calls: [{ name: 'exec_command', arguments: { cmd: 'cat notes.txt' } }] },
    { calls: [{ name: 'exec_command', arguments: { cmd: write } }] },
    { text: 'All is done.' },
  ],
  [patching]: [
    { text: 'I will look.', calls: [{ name: 'exec_command', arguments: { cmd: 'cat notes.txt' } }] },
    { calls: [{ name: 'apply_patch', arguments: { input: patch } }] },
    { calls: [{ name: 'exec_command', arguments: { cmd: 'wc -l made.txt' } }] },
    { text: 'All is done.' },
  ],
  [scripting]: [
    { text: 'I will look.', calls: [{ name: 'exec', arguments: { input: script } }] },
    { text: 'All is done.' },
  ],
}

const playing =
  (column: string, said: readonly Said[]): Play =>
  (_body, turn) =>
    speak(column, said[Math.min(turn, said.length - 1)] ?? {})

describe.runIf(env['CI'] !== undefined)('Codex 0.169.0', () => {
  let world: Awaited<ReturnType<typeof startCodexWorld>>

  beforeAll(async () => {
    world = await startCodexWorld([unknown, patching, scripting], columns)
  }, 600_000)

  afterAll(() => world.stop())

  const cells = Object.keys(errands).flatMap((id) => columns.map((column) => [id, column] as const))
  test.each(cells)('%s with %s does its errand', { timeout: 120_000 }, async (id, column) => {
    const said = errands[id] ?? []
    const files = { 'notes.txt': 'alpha\n' }
    const { code, out, work, requests } = await world.run({ id, column, play: playing(column, said), files })
    expect(out).toContain('"text":"All is done."')
    expect(out).toContain('2 made.txt')
    expect(readFileSync(join(work, 'made.txt'), 'utf8')).toBe(content)
    expect({ code, requests }).toEqual({ code: 0, requests: said.length })
  })

  test.each(columns)('over a WebSocket it does its errand, too (%s)', { timeout: 120_000 }, async (column) => {
    const said = errands[patching] ?? []
    const args = ['-c', 'model_providers.dragoman.supports_websockets=true']
    const files = { 'notes.txt': 'alpha\n' }
    const run = await world.run({ id: patching, column, play: playing(column, said), files, args })
    expect(run.out).toContain('"text":"All is done."')
    expect(readFileSync(join(run.work, 'made.txt'), 'utf8')).toBe(content)
    expect([run.code, run.requests, run.sockets]).toEqual([0, 0, 1])
  })

  test.each([native, 'hermes'])('a catalogue gives any name its patches (%s)', { timeout: 120_000 }, async (column) => {
    const said = errands[patching] ?? []
    const files = { 'notes.txt': 'alpha\n' }
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-codex-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const catalogue = join(folder, 'models.json')
    writeFileSync(catalogue, codexCatalogue({ model: `${unknown}-${column}`, context: 32_768 }))
    const settings = `model_catalog_json = ${JSON.stringify(catalogue)}`
    const { out, work } = await world.run({ id: unknown, column, play: playing(column, said), files, settings })
    expect(out).toContain('"text":"All is done."')
    expect(out).not.toContain('Model metadata')
    expect(readFileSync(join(work, 'made.txt'), 'utf8')).toBe(content)
  })

  test.each(columns)('an MCP server is found and used (%s)', { timeout: 120_000 }, async (column) => {
    const create = { name: 'mcp__srv__create_issue_v2', arguments: { title: 'hello' } }
    const said: readonly Said[] = [
      { calls: [{ name: 'tool_search', arguments: { query: 'create issue pic', limit: 8 } }] },
      { calls: [create] },
      { calls: [{ name: 'mcp__srv__pic', arguments: {} }] },
      { text: 'All is done.' },
    ]
    const { out } = await world.run({ id: patching, column, play: playing(column, said) })
    expect(out).toContain('created hello')
    expect(out.match(/"type":"item\.completed"[^\n]*"type":"mcp_tool_call"[^\n]*"status":"completed"/g)).toHaveLength(2)
    expect(out).toContain('"text":"All is done."')
  })

  test.each([native, 'hermes'])(
    'thirty turns with a summary in the middle (%s)',
    { timeout: 120_000 },
    async (column) => {
      let step = 0
      let filled = 0
      let summaries = 0
      const play: Play = (body) => {
        const messages = body['messages'] as readonly { readonly content: unknown }[]
        const isSummary = JSON.stringify(messages.at(-1)?.content).includes('CONTEXT CHECKPOINT')
        filled = isSummary ? 0 : filled + 1
        if (isSummary) summaries += 1
        const usage = { prompt_tokens: 1500 * filled, completion_tokens: 10, total_tokens: 1500 * filled + 10 }
        if (isSummary) return answer({ text: 'So far all went well.', usage })
        const call = { name: 'exec_command', arguments: { cmd: `echo ${step} >> made.txt` } }
        const said = speak(column, step++ < 30 ? { calls: [call] } : { text: 'All is done.' })
        const writes = [...said.writes].map((write) =>
          String(write).replace(/"usage":\{[^}]*\}/, `"usage":${JSON.stringify(usage)}`),
        )
        return { ...said, writes }
      }
      const settings = 'model_context_window = 32768\nmodel_auto_compact_token_limit = 24000'
      const { out, work } = await world.run({ id: unknown, column, play, settings })
      expect(readFileSync(join(work, 'made.txt'), 'utf8')).toBe(Array.from({ length: 30 }, (_, n) => `${n}\n`).join(''))
      expect(out).toContain('"text":"All is done."')
      expect(summaries).toBeGreaterThan(0)
    },
  )

  test('a conversation that got too long begins its next turn with a summary', { timeout: 120_000 }, async () => {
    const message = "This model's maximum context length is 10 tokens. However, your messages resulted in 20 tokens."
    const overflow = refusal(400, {
      error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' },
    })
    const first = await world.run({ id: unknown, column: native, play: () => overflow })
    expect(first.code).toBe(1)
    expect(first.out).toContain('ran out of room')
    const asked: string[] = []
    const play: Play = (body) => {
      asked.push(JSON.stringify((body['messages'] as readonly unknown[]).at(-1)))
      return answer({ text: asked.length === 1 ? 'It was long.' : 'All is done.' })
    }
    const second = await first.resume('And now?', play)
    expect(second.out).toContain('"text":"All is done."')
    expect(asked[0]).toContain('CONTEXT CHECKPOINT')
    expect(asked[1]).toContain('And now?')
  })

  test.each([native, 'hermes'])('an answer by a schema (%s)', { timeout: 120_000 }, async (column) => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    }
    const files = { 'schema.json': JSON.stringify(schema) }
    const bodies: string[] = []
    const play: Play = (body) => {
      bodies.push(JSON.stringify(body))
      return answer({ text: '{"a":"b"}' })
    }
    const { code, out } = await world.run({
      id: patching,
      column,
      play,
      files,
      args: ['--output-schema', 'schema.json'],
    })
    expect(code).toBe(0)
    expect(out).toContain('{\\"a\\":\\"b\\"}')
    expect(bodies[0]).toContain(column === native ? 'codex_output_schema' : 'additionalProperties')
  })

  test.each(columns)('a call that is cut off is not run (%s)', { timeout: 120_000 }, async (column) => {
    const calls = [{ name: 'exec_command', arguments: { cmd: 'touch made.txt && echo more' } }]
    const play: Play = () => speak(column, { calls, cutBefore: ' && echo' })
    const { code, out, work } = await world.run({ id: unknown, column, play })
    expect(code).toBe(1)
    expect(out).toContain('max_output_tokens')
    expect(existsSync(join(work, 'made.txt'))).toBe(false)
  })
})

describe.runIf(env['CI'] !== undefined)('Codex 0.169.0 --oss', () => {
  let world: Awaited<ReturnType<typeof startCodexWorld>>

  beforeAll(async () => {
    world = await startCodexWorld([unknown], columns, [])
  }, 600_000)

  afterAll(() => world.stop())

  test.each(columns)(
    'takes the gateway for an Ollama and does its errand (%s)',
    { timeout: 120_000 },
    async (column) => {
      const said = errands[unknown] ?? []
      const files = { 'notes.txt': 'alpha\n' }
      const { code, out, work, paths } = await world.run({
        id: unknown,
        column,
        play: playing(column, said),
        files,
        oss: true,
      })
      expect(out).toContain('"text":"All is done."')
      expect(out).toContain('2 made.txt')
      expect(readFileSync(join(work, 'made.txt'), 'utf8')).toBe(content)
      expect(code).toBe(0)
      expect(paths).toContain('/api/tags')
    },
  )
})
