import { expect, test } from 'vitest'
import type { Terminal } from '../terminal/terminal.ts'
import { createQuestions } from './ask.ts'

function startWith(input: string) {
  let said = ''
  const terminal = {
    open: async function* () {
      yield input
    },
    complain: (text: string) => {
      said += text
    },
    paint: (_: string, text: string) => text,
  } as unknown as Terminal
  return { questions: createQuestions(terminal), said: () => said }
}

test('it asks until the answer is fit, and takes the default for an empty one', async () => {
  const { questions, said } = startWith('abc\n80\n\nperhaps\ny\n')
  const isNumber = (text: string) => (/^\d+$/.test(text) ? undefined : 'A number, please.')
  expect(await questions.text('Port', '8484', isNumber)).toBe('80')
  expect(await questions.text('Port', '8484', isNumber)).toBe('8484')
  expect(await questions.yes('Sure?', false)).toBe(true)
  expect(said()).toBe(
    '? Port (8484):   A number, please.\n? Port (8484): ? Port (8484): ? Sure? [y/N]   Please answer y or n.\n? Sure? [y/N] ',
  )
})

test('at the end of the input the defaults are taken', async () => {
  const { questions } = startWith('')
  expect(await questions.text('Port', '8484', () => undefined)).toBe('8484')
  expect(await questions.yes('Sure?', true)).toBe(true)
})
