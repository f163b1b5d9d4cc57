// `npm test [-- TIER] [-- VITEST OPTIONS …]`: the tests of one tier, and a word on the others.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { argv, env, execPath, exit, stdout } from 'node:process'
import { tierNames, tiers } from '../test/tiers.ts'

const [first = '', ...rest] = argv.slice(2)
const isNamed = ['all', 'laws', ...tierNames].includes(first)
const tier = isNamed ? first : 'quick'
const more = isNamed ? rest : argv.slice(2)
const chosen = tierNames.filter((name) => tier === 'all' || name === tier)
const wanted = tier === 'laws' ? ['test/laws'] : chosen.flatMap((name) => ['--project', name])
/** Samples of each law; the quick tests take 50. */
const runs = { all: '200', laws: '1000' }[tier]

const { status } = spawnSync(execPath, [resolve('node_modules/vitest/vitest.mjs'), 'run', ...wanted, ...more], {
  stdio: 'inherit',
  env: runs === undefined ? env : { ...env, DRAGOMAN_LAW_RUNS: env['DRAGOMAN_LAW_RUNS'] ?? runs },
})

if (tier === 'quick') {
  stdout.write(
    [
      'These were the quick tests. The others:',
      `  npm test -- long      ${tiers.long.join(', ')}`,
      `  npm test -- agents    ${tiers.agents.join(', ')}, with real agents where they are installed`,
      '  npm run test:all      everything, as CI does',
      '',
    ].join('\n'),
  )
}
exit(status ?? 1)
