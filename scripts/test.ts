// `node scripts/test.ts quick|long|agents|all …`: the tests of one tier, and a word on the others.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { argv, env, execPath, exit, stdout } from 'node:process'
import { tierNames, tiers } from '../test/tiers.ts'

const [tier = 'quick', ...more] = argv.slice(2)
const chosen = tierNames.filter((name) => tier === 'all' || name === tier)
const projects = chosen.flatMap((name) => ['--project', name])
// Where all is run, the laws take more samples, too.
const samples = tier === 'all' ? { DRAGOMAN_LAW_RUNS: env['DRAGOMAN_LAW_RUNS'] ?? '200' } : {}

const { status } = spawnSync(execPath, [resolve('node_modules/vitest/vitest.mjs'), 'run', ...projects, ...more], {
  stdio: 'inherit',
  env: { ...env, ...samples },
})

if (tier === 'quick') {
  stdout.write(
    [
      'These were the quick tests. The others:',
      `  npm run test:long     ${tiers.long.join(', ')}`,
      `  npm run test:agents   ${tiers.agents.join(', ')}, with real agents where they are installed`,
      '  npm run test:all      everything, as CI does',
      '',
    ].join('\n'),
  )
}
exit(status ?? 1)
