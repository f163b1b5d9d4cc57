import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dialectFor } from '../../src/dialects/registry.ts'
import { nativeWay } from '../../src/tune/ways.ts'
import { createOpenAiUpstream } from '../../src/upstreams/openai/pooled.ts'
import { readArm, straight } from './arms.ts'
import { createAsk } from './ask.ts'
import { errands } from './errands.ts'
import { type Outcome, openKept, readOutcomes } from './kept.ts'
import { createPi } from './pi.ts'
import { drawQuestions, putAmong } from './questions.ts'
import { compare, printCategories, printErrands, printQuestions } from './report.ts'
import { serve } from './serve.ts'

/**
 * A real model, asked in several ways: straight, through the gateway natively, and taught in dialects. Questions with exact
 * checkers, and errands that a real agent runs. What was measured is kept as it comes, so a run that was stopped goes on.
 */
const { values } = parseArgs({
  options: {
    endpoint: { type: 'string' },
    model: { type: 'string' },
    gguf: { type: 'string' },
    'llama-server': { type: 'string' },
    vllm: { type: 'string' },
    only: { type: 'string' },
    /** `native`, `hermes+reminder=off` …; those after the first are compared with it. */
    arms: { type: 'string' },
    questions: { type: 'string' },
    /** `single,no call`: questions of these categories alone. */
    categories: { type: 'string' },
    /** `60`: all questions with the same tools, so many. */
    among: { type: 'string' },
    keep: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    /** `NAME=FILE`: what was kept of another run, shown as arms `NAME: arm`. */
    beside: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    /** The tables' place in docs/real-models.md. */
    write: { type: 'string' },
  },
})

const { only, beside, fresh } = values
if (only !== undefined && only !== 'questions' && only !== 'errands') throw new Error('--only questions, or errands.')
const served = await serve({ ...values, llamaServer: values['llama-server'] })
const timeouts = { connectMs: 5_000, firstEventMs: 600_000, idleMs: 600_000, totalMs: 600_000 }
const upstream = createOpenAiUpstream({ name: 'real', url: `${served.origin}/v1`, timeouts })
const named = values.arms ?? [straight.name, nativeWay, dialectFor(served.model).name].join(',')
const arms = named.split(',').map(readArm)
const drawn = drawQuestions(
  values.questions === undefined ? undefined : Number(values.questions),
  values.categories?.split(','),
)
const questions = values.among === undefined ? drawn : putAmong(drawn, Number(values.among))
const kept = openKept(
  values.keep ?? join('node_modules/.cache/dragoman-real', `${fileName(served.model)}.jsonl`),
  fresh,
)
try {
  if (only !== 'errands') await askQuestions()
  if (only !== 'questions') await runErrands()
} finally {
  await upstream.close()
  served.stop()
}
tell()

async function askQuestions(): Promise<void> {
  const ask = createAsk(served, upstream)
  await all(
    'questions',
    questions.map(({ id }) => id),
    async (arm, place) => {
      const question = questions[place]
      if (question !== undefined) kept.add(await ask(arm, question))
    },
  )
}

async function runErrands(): Promise<void> {
  const pi = createPi(served, upstream)
  await all(
    'errands',
    errands.map(({ name }) => name),
    async (arm, place) => {
      const errand = errands[place]
      if (errand !== undefined) kept.add(await pi(arm, errand))
    },
  )
}

/** Everything that is not known yet, one after the other, an arm at a time: what the server remembers of a prompt stays of use. */
async function all(
  set: Outcome['set'],
  ids: readonly string[],
  act: (arm: ReturnType<typeof readArm>, place: number) => Promise<void>,
): Promise<void> {
  let done = 0
  const begun = performance.now()
  const left = arms.flatMap((arm) =>
    ids.flatMap((id, place) => (kept.find(set, arm.name, id) === undefined ? [{ arm, place }] : [])),
  )
  for (const { arm, place } of left) {
    await act(arm, place)
    done += 1
    const minutes = (((performance.now() - begun) / done) * (left.length - done)) / 60_000
    showProgress(done / left.length, `${set} ${done}/${left.length}, ${minutes.toFixed(0)} min left, ${arm.name}`)
  }
  if (left.length > 0) process.stderr.write('\n')
}

function showProgress(share: number, words: string): void {
  const width = 24
  const full = Math.round(share * width)
  const line = `${'█'.repeat(full)}${'░'.repeat(width - full)} ${words}`
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${line}` : `${line}\n`)
}

function tell(): void {
  const others = beside.flatMap((pair) => {
    const [name = '', file = ''] = pair.split(/=(.*)/, 2)
    return readOutcomes(file).map((one) => ({ ...one, arm: `${name}: ${one.arm}` }))
  })
  const names = [...arms.map(({ name }) => name), ...new Set(others.map(({ arm }) => arm))]
  const shown = [...kept.outcomes, ...others].filter(({ arm }) => names.includes(arm))
  const ids = new Set(questions.map(({ id }) => id))
  const asked = shown.filter(({ set, id }) => set === 'questions' && ids.has(id))
  const done = shown.filter(({ set }) => set === 'errands')
  const rows = compare(asked, names)
  if (values.json) {
    console.log(
      JSON.stringify({ model: served.model, questions: rows, errands: compare(done, names), outcomes: shown }),
    )
    return
  }
  const tables = [
    ...(asked.length === 0 ? [] : [printQuestions(rows), printCategories(asked, names)]),
    ...(done.length === 0 ? [] : [printErrands(done, names)]),
  ].join('\n\n')
  console.log(tables)
  if (values.write !== undefined) writePage(values.write, tables)
}

/** Puts the tables between the marks `<!-- real: NAME -->` and `<!-- /real -->` of the page. */
function writePage(name: string, tables: string): void {
  const file = 'docs/real-models.md'
  const page = existsSync(file) ? readFileSync(file, 'utf8') : '# Real models\n'
  const [open, close] = [`<!-- real: ${name} -->`, '<!-- /real -->']
  const at = page.indexOf(open)
  const block = `${open}\n\n${tables}\n\n${close}`
  const end = at === -1 ? -1 : page.indexOf(close, at) + close.length
  writeFileSync(file, at === -1 ? `${page}\n${block}\n` : page.slice(0, at) + block + page.slice(end))
}

function fileName(model: string): string {
  return model.replaceAll(/[^\w.-]+/g, '-')
}
