import { expect, test } from 'vitest'
import { createParentWatch } from './parent.ts'

/** A machine on which processes have parents, commands, and ends. */
function machine(processes: Record<number, { parent: number; command: readonly string[]; name?: string }>, ours = 9) {
  const table = new Map(Object.entries(processes).map(([pid, facts]) => [Number(pid), { ...facts }]))
  const checks = new Set<() => void>()
  const watch = createParentWatch({
    parent: () => table.get(ours)?.parent ?? 1,
    readFile(path) {
      const [, , pid, file] = path.split('/')
      const facts = table.get(Number(pid))
      if (facts === undefined) throw new Error('ESRCH')
      if (file === 'cmdline') return `${facts.command.join('\0')}\0`
      return `${pid} (${facts.name ?? 'sh'}) S ${facts.parent} 1 1 0 -1`
    },
    every(run) {
      checks.add(run)
      return () => checks.delete(run)
    },
  })
  return {
    watch,
    /** Ends a process: its children get the first one as their parent. */
    end(pid: number) {
      table.delete(pid)
      for (const facts of table.values()) if (facts.parent === pid) facts.parent = 1
      for (const check of checks) check()
    },
  }
}

const program = ['node', 'main.ts']

test.each([
  ['npm itself ends', { 7: { parent: 5, command: ['npm start'] }, 9: { parent: 7, command: program } }, 7, true],
  [
    'the shell between ends',
    {
      7: { parent: 5, command: ['npm start'] },
      8: { parent: 7, command: ['sh', '-c', 'x'] },
      9: { parent: 8, command: program },
    },
    8,
    true,
  ],
  [
    'npm ends behind a shell that goes on',
    {
      7: { parent: 5, command: ['npm start'] },
      8: { parent: 7, command: ['sh', '-c', 'x'] },
      9: { parent: 8, command: program },
    },
    7,
    true,
  ],
  [
    'npm ends behind a shell with a name made to mislead',
    {
      7: { parent: 5, command: ['npm'] },
      8: { parent: 7, command: ['sh', '-ec', 'x'], name: 'a) R 1 (' },
      9: { parent: 8, command: program },
    },
    7,
    true,
  ],
  [
    'the terminal npm was started in closes, npm stays',
    {
      5: { parent: 1, command: ['bash'] },
      7: { parent: 5, command: ['npm start'] },
      9: { parent: 7, command: program },
    },
    5,
    false,
  ],
  [
    'somebody else ends',
    { 6: { parent: 1, command: ['vi'] }, 7: { parent: 5, command: ['npm'] }, 9: { parent: 7, command: program } },
    6,
    false,
  ],
])('%s', (_what, processes, ending, expected) => {
  const { watch, end } = machine(processes)
  let told = 0
  watch(() => {
    told += 1
  })
  end(ending)
  expect(told).toBe(expected ? 1 : 0)
})

test('it is told once in all, and to nobody who has stopped to listen', () => {
  const { watch, end } = machine({ 7: { parent: 5, command: ['npm'] }, 9: { parent: 7, command: program } })
  const told: string[] = []
  watch(() => told.push('stopped'))()
  watch(() => told.push('first'))
  end(7)
  watch(() => told.push('later'))
  end(7)
  expect(told).toEqual(['first'])
})
