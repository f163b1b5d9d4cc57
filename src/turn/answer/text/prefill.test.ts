import { describe, expect, test } from 'vitest'
import { createPrefill } from './prefill.ts'

const named = '<tool_call>\n{"name": "read", "arguments":'
const open = '<tool_call>\n{"name": "'

function hear(prefill: string, said: string, size: number) {
  const heard = createPrefill(prefill)
  let read = ''
  for (let at = 0; at < said.length; at += size) read += heard.push(said.slice(at, at + size))
  return { read: read + heard.end(), isRepeated: heard.isRepeated }
}

describe.each([1, 2, 7, 1000])('in pieces of %i', (size) => {
  test.each<[string, string, string]>([
    ['goes on with the arguments', named, ' {"path": "/a"}}\n</tool_call>'],
    ['goes on with arguments that begin like a call', named, '{"name": "bob"}}\n</tool_call>'],
    ['goes on with the name', open, 'read", "arguments": {}}\n</tool_call>'],
    ['goes on inside a mark', '<function=', 'read>\n</function>'],
    ['goes on in a list', '[', 'read(path="/a")]'],
  ])('what %s is read after it', (_, prefill, said) => {
    expect(hear(prefill, said, size)).toEqual({ read: prefill + said, isRepeated: false })
  })

  test.each<[string, string, string]>([
    ['repeats it', named, `${named} {"path": "/a"}}\n</tool_call>`],
    ['repeats it without its white space', named, '<tool_call>{"name":"read","arguments":{"path": "/a"}}</tool_call>'],
    ['repeats it after white space', open, `\n\n${open}read", "arguments": {}}`],
    ['begins another call', named, '<tool_call>\n{"name": "write", "arguments": {}}\n</tool_call>'],
    ['begins with words', named, 'I will read it.\n<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>'],
    ['begins with words, where a name was to be', open, 'Sure. <tool_call>\n{"name": "read", "arguments": {}}'],
    ['repeats a bracket', '[', '[read(path="/a")]'],
  ])('what %s stands for itself', (_, prefill, said) => {
    expect(hear(prefill, said, size)).toEqual({ read: said, isRepeated: true })
  })

  test.each<[string, string, string, string]>([
    ['nothing', named, '', ''],
    ['a part of it', named, '<tool_call>\n{"na', '<tool_call>\n{"na'],
    ['a part of the name', open, 're', `${open}re`],
  ])('of an answer that is %s, no more is made than there is', (_, prefill, said, read) => {
    expect(hear(prefill, said, size).read).toBe(read)
  })
})

test('a repetition is dropped once', () => {
  expect(hear('[', '[[1, 2]]', 1).read).toBe('[[1, 2]]')
  expect(hear(named, `${named}${named}`, 3).read).toBe(`${named}${named}`)
})

test('without a prefill everything passes at once', () => {
  const heard = createPrefill('')
  expect(heard.push('a')).toBe('a')
  expect(heard.end()).toBe('')
  expect(createPrefill('\n').push('a')).toBe('a')
})
