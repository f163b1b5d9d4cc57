import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { battery } from '../../src/tune/battery/battery.ts'
import { createFolder, outcomeOf, runDragoman, startDragoman, untilSaid } from '../dragoman.ts'
import { type Rates, startModel } from '../tune/model.ts'

const longMs = 60_000

interface Stage {
  readonly rates: Rates
  readonly config?: (url: string) => string
  readonly refusesNative?: string
  readonly thinks?: () => Promise<void>
}

/** The real program before a scripted model that fails with known rates. */
async function stage({ rates, config, ...more }: Stage) {
  const asked: string[] = []
  const model = await startModel({
    rates,
    seed: 1,
    rounds: 5 * battery.length,
    onAsked: (way) => asked.push(way),
    ...more,
  })
  onTestFinished(model.close)
  const place = createFolder(config === undefined ? {} : { 'dragoman.yaml': config(model.url) })
  onTestFinished(place.remove)
  const args = (words: readonly string[]) => [
    'tune',
    ...(config === undefined ? ['--upstream', model.url] : []),
    '--state',
    'state.jsonl',
    ...words,
  ]
  return {
    ...place,
    asked,
    model,
    start: (...words: string[]) => startDragoman(args(words), place),
    run: (...words: string[]) => runDragoman(args(words), place),
    async json(...words: string[]) {
      const { code, out } = await runDragoman(args([...words, '--json']), place)
      return { code, answer: JSON.parse(out) }
    },
  }
}

const rates = { native: 0.75, hermes: 0.98, 'json-fence': 0.5, 'xml-name-args': 0.2, 'qwen3-coder': 0.6 }

test(
  'over a real socket it finds the true winner, and the true rates are inside the intervals',
  async () => {
    const { json, asked } = await stage({ rates })
    const { code, answer } = await json('--parallel', '4')
    expect(code).toBe(0)
    // With its reminder and without, it does the same here.
    expect(answer.recommendation.way).toMatch(/^hermes/)
    expect(answer.settings).toMatchObject({ tools: 'prompt', dialect: 'hermes' })
    for (const { way, success } of answer.standings) {
      expect(success.low, way).toBeLessThanOrEqual(rates[way.split('+')[0] as keyof typeof rates])
      expect(success.high, way).toBeGreaterThanOrEqual(rates[way.split('+')[0] as keyof typeof rates])
    }
    const [best] = answer.standings
    expect(best.valid.value).toBeGreaterThan(0.95)
    expect(best.promptTokens).toBeGreaterThan(
      answer.standings.find(({ way }: { way: string }) => way === 'native').promptTokens,
    )
    expect(best.firstMs).toBeLessThanOrEqual(best.totalMs)
    // Those that were clearly worse were not asked to the end.
    const count = (name: string): number => asked.filter((way) => way === name).length
    expect(count('xml-name-args')).toBeLessThan(count('hermes') / 2)
  },
  longMs,
)

test(
  'the choice goes into the config with its comments, after a backup, and the change is shown',
  async () => {
    const before = (url: string) =>
      `# mine\nupstreams:\n  box: { kind: openai, url: "${url}" } # the box\nmodels:\n  small:\n    upstream: box\n    model: scripted # as it calls it\n    tools: native\n`
    const { folder, run, model } = await stage({ rates, config: before })
    const { code, out, complaints } = await run(
      'small',
      '--dialects',
      'native,hermes,xml-name-args',
      '--parallel',
      '4',
      '--write',
      '--report',
      'r.html',
    )
    expect(code).toBe(0)
    expect(out).toContain('Use hermes for small.')
    expect(complaints).toContain('-     tools: native\n+     tools: prompt\n+     dialect: hermes')
    const after = readFileSync(join(folder, 'dragoman.yaml'), 'utf8')
    expect(after).toContain('# mine')
    expect(after).toContain('model: scripted # as it calls it\n    tools: prompt\n    dialect: hermes\n')
    expect(readFileSync(join(folder, 'dragoman.yaml.bak'), 'utf8')).toBe(before(model.url))
    expect(await runDragoman(['config', 'check'], { folder })).toMatchObject({ code: 0 })
    // A page that needs nothing else.
    const page = readFileSync(join(folder, 'r.html'), 'utf8')
    expect(page).toContain('Use hermes for small.')
    expect(page.match(/(?:src|href|url)\s*[=(]\s*["']?(?!data:)[^"')]+/g)).toBe(null)
    expect(page).not.toMatch(/<script|@import|NaN|undefined/)
    // What was measured is there: the same command asks nothing, and has nothing to change.
    const asked = model.requests.length
    const again = await run('small', '--dialects', 'native,hermes,xml-name-args', '--write')
    expect(again.out).toContain('Use hermes for small.')
    expect(again.complaints).toContain('Nothing was changed.')
    expect(model.requests.filter(({ method }) => method === 'POST').length).toBe(
      asked - model.requests.slice(0, asked).filter(({ method }) => method === 'GET').length,
    )
  },
  longMs,
)

test(
  'a run that was stopped is gone on with, and nothing is asked twice',
  async () => {
    const { run, json, asked } = await stage({ rates: { ...rates, hermes: 0.8 } })
    const first = await run('--dialects', 'native,hermes', '--max-requests', '21')
    expect(first.code).toBe(0)
    expect(first.out).toMatch(/is ahead for scripted|isn't certain yet/)
    expect(first.out.replace(/\s+/g, ' ')).toContain('--max-requests is used up. 20 answers are kept in')
    expect(asked.length).toBe(20)
    const { answer } = await json('--dialects', 'native,hermes', '--max-requests', '20')
    expect(answer.requests).toBe(40)
    expect(asked.length).toBe(40)
    expect((await run('--dialects', 'native,hermes', '--max-requests', '2', '--fresh')).out).toContain(
      '2 answers are kept',
    )
  },
  longMs,
)

test(
  'Ctrl+C keeps what was measured and says how to go on; half a line does no harm',
  async () => {
    const { folder, start, run, write } = await stage({
      rates,
      thinks: () => new Promise((done) => setTimeout(done, 20)),
    })
    const child = start('--dialects', 'native,hermes')
    const outcome = outcomeOf(child)
    await untilSaid(child.stderr, /20 of at most/)
    child.kill('SIGINT')
    const { code, out } = await outcome
    expect(code).toBe(130)
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /Stopped\. \d\d answers are kept in .*state\.jsonl\. Run the same command again to go on\./,
    )
    const state = readFileSync(join(folder, 'state.jsonl'), 'utf8')
    write('state.jsonl', state.slice(0, -10))
    const { complaints } = await run('--dialects', 'native,hermes', '--max-requests', '4')
    expect(complaints).toMatch(/Going on from \d\d answers measured since \d{4}-\d\d-\d\d/)
    const lines = readFileSync(join(folder, 'state.jsonl'), 'utf8').trim().split('\n')
    expect(lines.filter((line) => !line.endsWith('}')).length).toBe(1)
  },
  longMs,
)

test(
  'a server that refuses native tools is told of, and the others go on',
  async () => {
    const { json, run } = await stage({
      rates: { hermes: 1, 'json-fence': 0.2 },
      refusesNative: 'This model has no tools.',
    })
    const { answer } = await json('--dialects', 'native,hermes,json-fence')
    expect(answer.recommendation.way).toBe('hermes')
    expect(answer.standings.at(-1)).toMatchObject({ way: 'native', exit: { kind: 'refused' }, success: { of: 3 } })
    expect((await run('--dialects', 'native,hermes,json-fence')).out.replace(/\s+/g, ' ')).toContain(
      '! native: the server refuses these requests. It says: ',
    )
  },
  longMs,
)

test(
  'where everything fails it says so, writes nothing, and ends with 1',
  async () => {
    const { folder, run } = await stage({ rates: {} })
    const { code, out, complaints } = await run('--parallel', '4', '--write')
    expect(code).toBe(1)
    expect(out).toContain('Nothing works with scripted')
    expect(out).toContain('dragoman doctor')
    expect(complaints).toContain('Nothing was written')
    expect(existsSync(join(folder, 'dragoman.yaml'))).toBe(false)
  },
  longMs,
)

test(
  'two that never fail are equally good, and the one with the shorter prompts is taken',
  async () => {
    const { run } = await stage({ rates: { native: 1, hermes: 1 } })
    const { code, out } = await run('--dialects', 'hermes,native', '--parallel', '4', '--margin', '10')
    expect(code).toBe(0)
    const words = out.replace(/\s+/g, ' ')
    expect(words).toContain('Use native tool calls for scripted.')
    expect(words).toContain('are equally good, and its prompts are the shortest.')
    expect(words).toContain('at most 10 points behind the best is 95% certain')
  },
  longMs,
)

test('another model is told in words', async () => {
  const { run } = await stage({ rates })
  const { code, complaints } = await run('scriptd')
  expect(code).toBe(1)
  expect(complaints).toContain('No server has a model "scriptd". Did you mean "scripted"?')
})

test('without a model server it says what to do', async () => {
  const { folder, remove } = createFolder()
  onTestFinished(remove)
  const { code, complaints } = await runDragoman(['tune'], { folder, environment: { DRAGOMAN_DISCOVER: '9' } })
  expect(code).toBe(1)
  expect(complaints).toContain('No model server is running on this machine. Start one, or name it with --upstream URL.')
})
