import { mkdirSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFolder, runDragoman } from '../dragoman.ts'
import { agents } from './agents.ts'
import { installNewest, programPath } from './install.ts'

const startMs = 60_000

const real = [
  {
    name: 'pi',
    packages: agents.find(({ name }) => name === 'pi')?.packages ?? ([''] as const),
    args: ['-p', 'Please read the file README.md'],
    settings: '.pi/agent/models.json',
  },
]

test.each(real)(
  'dragoman launch $name: the real one reads a file through a gateway started for it',
  async ({ name, packages, args, settings }) => {
    const bin = join(installNewest({ packages }).folder, 'node_modules/.bin')
    const { folder, remove } = createFolder({
      'dragoman.yaml': 'upstreams: { r: { kind: rehearsal } }\nmodels: { small: {} }\nlisten: 127.0.0.1:9\n',
      'README.md': 'the secret is 42',
    })
    onTestFinished(remove)
    mkdirSync(join(folder, 'bin'))
    const environment = { PATH: [bin, programPath].join(delimiter), PI_OFFLINE: '1', TERM: 'dumb' }
    const { code, out } = await runDragoman(['launch', name, '--', ...args], { folder, environment })
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('the secret is 42') })
    expect(readdirSync(folder, { recursive: true })).not.toContain(settings)
  },
  startMs,
)
