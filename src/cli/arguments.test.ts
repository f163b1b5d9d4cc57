import { expect, test } from 'vitest'
import { defineVerb, readArguments, UsageError } from './arguments.ts'

const flags = {
  tools: { type: 'text', value: 'FILE', help: 'the tools' },
  mode: { type: 'text', value: 'MODE', choices: ['native', 'prompt'], help: 'how' },
  cut: { type: 'count', value: 'N', help: 'pieces of N characters' },
  json: { type: 'switch', help: 'as JSON' },
} as const

test.each<[string[], object, string[]]>([
  [[], {}, []],
  [['a', '--json', 'b'], { json: true }, ['a', 'b']],
  [['--tools', 't.json', '--cut=3'], { tools: 't.json', cut: 3 }, []],
  [['--tools=-odd', '-'], { tools: '-odd' }, ['-']],
  [['--tools', '-'], { tools: '-' }, []],
  [['--', '--json'], {}, ['--json']],
  [['--mode', 'prompt', '--mode', 'native'], { mode: 'native' }, []],
])('%j is understood', (argv, values, operands) => {
  expect(readArguments(flags, argv)).toEqual({ values, operands })
})

test.each<[string[], string]>([
  [['--jsn'], 'Unknown option --jsn. Did you mean --json?'],
  [['--colour'], 'Unknown option --colour.'],
  [['-x'], 'Unknown option -x.'],
  [['--constructor'], 'Unknown option --constructor.'],
  [['--tools'], '--tools needs a value: --tools FILE.'],
  [['--tools', '--json'], '--tools needs a value: --tools FILE.'],
  [['--json=yes'], "--json doesn't take a value."],
  [['--cut', '0'], '--cut must be a whole number of 1 or more, not "0".'],
  [['--cut', 'three'], '--cut must be a whole number of 1 or more, not "three".'],
  [['--mode', 'promt'], '--mode can\'t be "promt". Did you mean "prompt"?'],
  [['--mode', 'x'], '--mode can\'t be "x". Choose from native, prompt.'],
])('%j is wrong usage', (argv, message) => {
  expect(() => readArguments(flags, argv)).toThrow(new UsageError(message))
})

const verb = defineVerb({
  name: 'look',
  summary: 'look at a file',
  operands: '[FILE]',
  maxOperands: 1,
  flags,
  details: ['And then some.'],
  async run(values, operands, terminal) {
    terminal.write(JSON.stringify([values, operands]))
    return 0
  },
})

test('help lists every flag with its value and what it does', () => {
  expect(verb.help).toBe(
    [
      'Usage: dragoman look [FILE] [options]',
      '',
      '  look at a file',
      '',
      '  --tools FILE  the tools',
      '  --mode MODE   how: native, prompt',
      '  --cut N       pieces of N characters',
      '  --json        as JSON',
      '  -h, --help    show this help',
      '',
      '  And then some.',
      '',
    ].join('\n'),
  )
})

test('one operand too many is named', async () => {
  const write = () => expect.unreachable()
  await expect(verb.run(['a', 'b'], { write } as never)).rejects.toThrow('Unexpected argument "b" for `dragoman look`.')
})
