import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { execPath } from 'node:process'
import { parseArgs } from 'node:util'
import { mutantsOf } from './mutants.ts'

/**
 * npx node test/mutation/run.ts [--mutants 300] [--seed 1] [--jobs 2] [--only json.ts] [--part reader] [--list]
 *
 * Changes the engine in small ways, one at a time, and asks whether the tests notice: first the goldens and some printed
 * calls, which takes a second, then the unit tests of the engine, then the laws for some dialects. What makes grammars is
 * asked of the grammars' tests instead, which takes a minute. `--part` is the reader or the grammars, both where none is
 * named. `--list` only counts the mutants there are.
 */
const { values: flags } = parseArgs({
  options: {
    mutants: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true },
    part: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'src/engine')
const timeoutMs = 180_000
const vitest = [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--bail=1',
  `--config=${join(import.meta.dirname, 'vitest.config.ts')}`,
]
const unitTests = [...vitest, 'src/engine']
/** The laws, for one dialect of each form. */
const laws = [
  ...vitest,
  ...['laws', 'texts', 'prose', 'examples', 'habits', 'spans', 'unclosed'].map((name) => `test/laws/${name}.test.ts`),
  '--testNamePattern=^(hermes|qwen3-coder|mistral-v3|kimi-k2|harmony|olmo3|gemma4|roo-xml|yaml-xml|json-fence)[, ]',
]
const grammars = [...vitest, 'src/engine/constrain', 'test/constrain', '--testNamePattern=^(?!.*512 tools)']
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .filter((name) => flags.only?.includes(basename(name)) ?? true)
  .filter((name) => flags.part === undefined || flags.part === partOf(name))
  .flatMap((name) => mutantsOf(join(folder, name), readFileSync(join(folder, name), 'utf8')))

if (flags.list) {
  for (const [file, some] of Map.groupBy(all, (mutant) => basename(mutant.file))) console.log(file, some.length)
  process.exit()
}

const chosen = sample(all, Number(flags.mutants), Number(flags.seed))
const place = mkdtempSync(join(tmpdir(), 'dragoman-mutants-'))
let survived = 0
let done = 0
try {
  await Promise.all(Array.from({ length: Number(flags.jobs) }, (_, job) => work(job)))
} finally {
  rmSync(place, { recursive: true })
}
const killed = done - survived
console.log(`${done} of ${all.length} mutants tried, ${killed} killed: ${((100 * killed) / done).toFixed(1)} %`)

async function work(job: number): Promise<void> {
  for (let mutant = chosen.pop(); mutant !== undefined; mutant = chosen.pop()) {
    const path = join(place, `${job}.ts`)
    writeFileSync(path, mutant.source)
    const trial = [join(import.meta.dirname, 'trial.ts'), mutant.file, path]
    const changed = { MUTATED_FILE: mutant.file, MUTANT: path }
    const passed =
      partOf(relative(folder, mutant.file)) === 'grammars'
        ? await passes(grammars, changed)
        : (await passes(trial, {})) &&
          (await passes(unitTests, changed)) &&
          (await passes(laws, { ...changed, DRAGOMAN_LAW_RUNS: '100' }))
    done++
    if (passed) {
      survived++
      console.log(
        `survived  ${basename(mutant.file)}:${mutant.line}  ${mutant.change.replaceAll('\n', ' ').slice(0, 120)}`,
      )
    }
    if (done % 25 === 0) console.error(`${done} tried, ${survived} survived`)
  }
}

function partOf(name: string): 'reader' | 'grammars' {
  return name.startsWith('constrain') ? 'grammars' : 'reader'
}

/** Whether a run noticed nothing. One that hangs has noticed; it is ended with the workers it started. */
function passes(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<boolean> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment }
    const child = spawn(execPath, args, { cwd: root, stdio: 'ignore', env, detached: true })
    const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), timeoutMs)
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

/** Some of a list, the same for the same seed. */
function sample<T>(list: readonly T[], count: number, seed: number): T[] {
  const rest = [...list]
  const some: T[] = []
  for (let state = seed; some.length < count && rest.length > 0; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    some.push(...rest.splice(Math.floor((state / 2 ** 32) * rest.length), 1))
  }
  return some
}
