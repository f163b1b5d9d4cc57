import { expect, test } from 'vitest'
import { cleanName, isPlainName, matchName, spellingsOf } from './names.ts'

const names = new Set(['set_lamp', 'ping', 'get-time', 'a.b', 'repeat', 're_peat'])

test.each([
  ['set_lamp', 'set_lamp', false],
  ['a.b', 'a.b', false],
  ['functions.set_lamp', 'set_lamp', true],
  ['tool:ping', 'ping', true],
  ['set_lamp:0', 'set_lamp', true],
  [' "ping" ', 'ping', true],
  ['SetLamp', 'set_lamp', true],
  ['GET_TIME', 'get-time', true],
  ['mcp.lights.set_lamp', 'set_lamp', true],
  ['lights/ping', 'ping', true],
  ['ping<|channel|>commentary', 'ping', true],
])('%s is the tool %s', (written, name, corrected) => {
  expect(matchName(written, names)).toEqual({ name, corrected })
})

test.each(['', 'pong', 'set', 'Repeat_', 'functions.', 'x.', '<|ping|>'])('%s is no tool', (written) => {
  expect(matchName(written, names)).toBeUndefined()
})

test.each([
  [' `functions.ping` ', 'ping'],
  ['ping:12', 'ping'],
  ['x:y', 'x:y'],
  ['Tools/ping', 'ping'],
])('%s without its noise is %s', (written, name) => {
  expect(cleanName(written)).toBe(name)
})

test.each([
  ['ping', true],
  ['größe', true],
  ['a.b:c/d-e_1', true],
  ['a b', false],
  ['a<b', false],
  ['', false],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
])('%s could be handed to a client: %s', (name, plain) => {
  expect(isPlainName(name)).toBe(plain)
})

test.each([
  ['ping', ['ping']],
  ['set_lamp', ['set_lamp', 'set-lamp', 'setlamp', 'Set_Lamp', 'Set-Lamp', 'SetLamp', 'setLamp', 'SET_LAMP']],
  ['readFile', ['readFile', 'read_file', 'read-file', 'readfile', 'Read_File', 'Read-File', 'ReadFile', 'READ_FILE']],
])('%s may be written %j, and each way is the tool', (name, spellings) => {
  expect(spellingsOf(name)).toEqual(spellings)
  for (const spelling of spellings) expect(matchName(spelling, new Set([name]))?.name).toBe(name)
})

test.each([
  ['get_time.get_time', 'get_time'],
  ['a.b', 'a.b'],
  ['api.call', 'api.call'],
])('%s of a tool nobody declared is %s', (written, name) => {
  expect(cleanName(written)).toBe(name)
})

test('a name no tool has is looked up as fast among many tools as among few', () => {
  const timeOf = (count: number): number => {
    const names = new Set(Array.from({ length: count }, (_, n) => `tool_number_${n}`))
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now()
      for (let n = 0; n < 2000; n++) matchName(`nobody-${n}`, names)
      return performance.now() - start
    })
    return Math.min(...times)
  }
  timeOf(4)
  expect(timeOf(512) / timeOf(4)).toBeLessThan(8)
})
