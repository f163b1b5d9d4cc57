import { expect, test } from 'vitest'
import type { Terminal } from '../terminal/terminal.ts'
import { borrowGateway } from './gateway.ts'

function terminalWith(answer: string) {
  let said = ''
  const surroundings = {
    environment: { DRAGOMAN_DISCOVER: 'off', DRAGOMAN_PORT: '9' },
    homeDirectory: '/nowhere',
    workingDirectory: '/nowhere',
    readFile: () => undefined,
  }
  const terminal = {
    surroundings,
    asks: true,
    open: async function* () {
      yield answer
    },
    complain: (text: string) => {
      said += text
    },
    paint: (_: string, text: string) => text,
  } as unknown as Terminal
  return { terminal, said: () => said }
}

test('without a model server the person at the terminal is asked, and no is no', async () => {
  const { terminal, said } = terminalWith('n\n')
  await expect(borrowGateway({ keyless: false }, terminal)).rejects.toThrow('Start a model server')
  expect(said()).toBe('? No model server found. Try it with a scripted stand-in? [Y/n] ')
})

test('yes starts it, and with --rehearsal there is no question', async () => {
  const [asked, told] = [terminalWith('y\n'), terminalWith('')]
  for (const [{ terminal }, rehearsal] of [[asked, false] as const, [told, true] as const]) {
    const gateway = await borrowGateway({ keyless: false, rehearsal }, terminal)
    expect(gateway.remarks.join()).toContain('this uses "rehearsal"')
    await gateway.close()
  }
  expect([asked.said() !== '', told.said()]).toEqual([true, ''])
})
