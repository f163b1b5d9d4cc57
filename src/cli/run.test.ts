import { expect, test } from 'vitest'
import { ConfigError } from '../config/problems.ts'
import { defineVerb } from './arguments.ts'
import { run } from './run.ts'
import { Refusal } from './terminal/input.ts'
import type { Terminal } from './terminal/terminal.ts'
import type { VerbEntry } from './verbs.ts'

const flags = { port: { type: 'text', help: 'where' } } as const

function verbThat(name: string, act: (port: string | undefined) => number): VerbEntry {
  const verb = defineVerb({ name, summary: `to ${name}`, flags, run: async ({ port }) => act(port) })
  return { name, load: async () => verb }
}

const verbs = [
  verbThat('serve', (port) => (port === undefined ? 0 : Number(port))),
  verbThat('refuse', () => {
    throw new Refusal('No such thing.')
  }),
  verbThat('misread', () => {
    throw new ConfigError([{ path: ['listen'], message: 'wrong', where: 'dragoman.yaml:1' }])
  }),
  verbThat('mistype', () => {
    throw new ConfigError([{ path: [], message: 'wrong', where: '--listen' }])
  }),
]

async function outcome(argv: readonly string[], interactive = false) {
  let out = ''
  let complaints = ''
  const terminal = {
    write: (text: string) => {
      out += text
    },
    complain: (text: string) => {
      complaints += text
    },
    paint: (_: string, text: string) => text,
    interactive,
  } as unknown as Terminal
  const code = await run(verbs, argv, terminal, '9.9.9')
  return { code, out, complaints }
}

test.each<[string[], number, string, string]>([
  [[], 0, '', ''],
  [['serve'], 0, '', ''],
  [['--port', '3'], 3, '', ''],
  [['--version'], 0, '9.9.9\n', ''],
  [['refuse'], 1, '', 'error: No such thing.\n'],
  [['misread'], 1, '', 'error: Invalid configuration in dragoman.yaml\n  dragoman.yaml:1: listen: wrong\n'],
  [['mistype'], 2, '', 'error: Invalid configuration\n  --listen: wrong\n'],
])('%j ends with %d', async (argv, code, out, complaints) => {
  expect(await outcome(argv)).toEqual({ code, out, complaints })
})

test.each<[string[], string, string]>([
  [
    ['srve'],
    'Unknown command "srve". Did you mean "serve"? Commands: serve, refuse, misread, mistype.',
    'Run `dragoman --help`',
  ],
  [['xyzzy'], 'Unknown command "xyzzy". Commands: serve, refuse, misread, mistype.', 'Run `dragoman --help`'],
  [['serve', '--prot', '1'], 'Unknown option --prot. Did you mean --port?', 'Run `dragoman serve --help`'],
  [['--prot', '1'], 'Unknown option --prot. Did you mean --port?', 'Run `dragoman serve --help`'],
  [['refuse', 'me'], 'Unexpected argument "me" for `dragoman refuse`.', 'Run `dragoman refuse --help`'],
])('%j is wrong usage, and the help of that verb is named', async (argv, message, help) => {
  const { code, out, complaints } = await outcome(argv)
  expect(code).toBe(2)
  expect(out).toBe('')
  expect(complaints).toContain(message)
  expect(complaints).toContain(help)
})

test('help is for all and for one', async () => {
  const all = await outcome(['--help'])
  expect(all.code).toBe(0)
  expect(all.out).toContain('serve    to serve')
  expect(all.out).toContain('Without a COMMAND it runs `serve`.')
  expect((await outcome(['refuse', '-h'])).out).toContain('Usage: dragoman refuse [options]')
})
