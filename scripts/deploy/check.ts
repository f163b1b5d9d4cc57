import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { complaintOf, installTools, run } from './tools.ts'

/** `npx node scripts/deploy/check.ts`: lints, renders and validates what is in deploy/ and .github/workflows/. */

const chart = 'deploy/helm/dragoman'
const scratch = mkdtempSync(join(tmpdir(), 'dragoman-deploy-'))

/** The oldest and the newest Kubernetes the rendered chart is held to. */
const kubernetesVersions = ['1.28.0', '1.37.0']

const key = ['--set', 'secrets.DRAGOMAN_KEY=a-key']
const renderings: Readonly<Record<string, readonly string[]>> = {
  defaults: key,
  'a secret of your own': ['--set', 'existingSecret=mine'],
  everything: [
    ...key,
    ...['--set', 'redis.enabled=true', '--set', 'autoscaling.enabled=true', '--set', 'ingress.enabled=true'],
    ...['--set', 'ingress.className=nginx', '--set', 'ingress.tlsSecret=tls', '--set', 'podLabels.team=a'],
    ...['--set', 'config.upstreams.vllm.kind=openai', '--set', 'config.upstreams.vllm.url=http://vllm:8000'],
    ...['--set', `image.digest=sha256:${'0'.repeat(64)}`, '--set', 'proxy.url=http://proxy:3128'],
    ...['--set', 'volumes[0].name=ca', '--set', 'volumes[0].configMap.name=ca'],
    ...['--set', 'volumeMounts[0].name=ca', '--set', 'volumeMounts[0].mountPath=/ca'],
    ...['--set', 'serviceMonitor.enabled=true', '--set', 'serviceMonitor.labels.release=prometheus'],
    ...['--set', 'nodeSelector.disk=ssd', '--set', 'env[0].name=DRAGOMAN_LOG', '--set', 'env[0].value=debug'],
  ],
  'one replica': [...key, '--set', 'replicas=1'],
}

const checks: readonly (readonly [string, () => string | undefined])[] = [
  ['the program can be built from what .dockerignore lets through', buildFromContext],
  ['hadolint: deploy/Dockerfile', () => complaintOf('hadolint', ['deploy/Dockerfile'])],
  [
    'the Compose specification: deploy/compose.yaml',
    () => complaintOf('check-jsonschema', ['--builtin-schema', 'vendor.compose-spec', 'deploy/compose.yaml']),
  ],
  ['systemd-analyze verify: deploy/dragoman.service', () => complaintOf('systemd-analyze', ['verify', unitHere()])],
  [
    'systemd-analyze security: deploy/dragoman.service is at most 2.0 of 10 exposed',
    () => complaintOf('systemd-analyze', ['security', '--offline=true', '--threshold=20', unitHere()]),
  ],
  ['actionlint: .github/workflows', () => complaintOf('actionlint', [])],
  [
    'zizmor: .github/workflows',
    () => complaintOf('zizmor', ['--offline', '--min-severity', 'medium', '.github/workflows']),
  ],
  ['package and chart have one version', () => complaintOf(process.execPath, ['scripts/deploy/versions.ts'])],
  ['helm refuses a release without a key, and says what to set', refusesWithoutKey],
  ...Object.entries(renderings).flatMap(([name, values]): [string, () => string | undefined][] => [
    [`helm lint: ${name}`, () => complaintOf('helm', ['lint', '--strict', chart, ...values])],
    ...kubernetesVersions.map((version): [string, () => string | undefined] => [
      `Kubernetes ${version} takes the chart with ${name}`,
      () => complaintOf('kubernetes-validate', ['--strict', '-k', version, renderToFile(values)]),
    ]),
    [`Dragoman takes the config of the chart with ${name}`, () => complaintOfConfig(values)],
  ]),
]

/** `COPY . .` and `npm run build` of the Dockerfile, in a bare folder. */
function buildFromContext(): string | undefined {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
  const isIgnored = (path: string) =>
    ignored.some((one) => path === one || path.startsWith(`${one}/`) || (one === '*.md' && /^[^/]+\.md$/.test(path)))
  const folder = join(scratch, 'context')
  const files = run('git', ['ls-files']).stdout.split('\n')
  for (const path of files.filter((one) => one !== '' && !isIgnored(one))) cpSync(path, join(folder, path))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const complaint = complaintOf('npm', ['run', 'build', '--prefix', folder])
  return complaint ?? (existsSync(join(folder, 'dist/cli/main.js')) ? undefined : 'there is no dist/cli/main.js')
}

/** The unit, naming a program that is there. */
function unitHere(): string {
  const path = join(scratch, 'dragoman.service')
  const unit = readFileSync('deploy/dragoman.service', 'utf8')
  writeFileSync(path, unit.replaceAll('/opt/dragoman/bin/dragoman', '/bin/true').replace(/^Documentation=.*\n/m, ''))
  return path
}

function render(values: readonly string[]): string {
  const { status, stdout, stderr } = run('helm', ['template', 'release', chart, ...values])
  if (status !== 0) throw new Error(stderr)
  return stdout
}

function renderToFile(values: readonly string[]): string {
  const path = join(scratch, 'rendered.yaml')
  writeFileSync(path, render(values))
  return path
}

function refusesWithoutKey(): string | undefined {
  const { status, stderr } = run('helm', ['template', 'release', chart])
  return status !== 0 && stderr.includes('secrets.DRAGOMAN_KEY') ? undefined : `it did not: ${stderr}`
}

function complaintOfConfig(values: readonly string[]): string | undefined {
  const documents = parseAllDocuments(render(values)).map((document) => document.toJSON())
  const config = documents.find((one) => one?.kind === 'ConfigMap')?.data?.['dragoman.yaml']
  const path = join(scratch, 'dragoman.yaml')
  writeFileSync(path, String(config))
  process.env['DRAGOMAN_KEY'] = 'a-key'
  return complaintOf(process.execPath, ['src/cli/main.ts', 'config', 'check', '--config', path])
}

try {
  installTools()
  let failed = 0
  for (const [name, check] of checks) {
    const complaint = check()
    console.log(`${complaint === undefined ? 'ok    ' : 'FAILED'} ${name}`)
    if (complaint === undefined) continue
    failed += 1
    console.log(complaint.replace(/^/gm, '         '))
  }
  console.log(`${checks.length - failed} of ${checks.length} checks passed`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
