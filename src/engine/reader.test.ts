import { describe, expect, test } from 'vitest'
import { dialects, findDialect } from '../dialects/registry.ts'
import { fold } from '../protocol/fold.ts'
import type { Tool } from '../protocol/tool.ts'
import { createReader, type ReaderOptions } from './reader.ts'

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

function hear(text: string, options: Partial<ReaderOptions> = {}, how: 'stop' | 'length' | 'died' = 'stop') {
  const reader = createReader({
    dialect: findDialect('hermes'),
    others: dialects,
    tools: [read],
    newId: () => 'id',
    ...options,
  })
  const events = [...text].flatMap((piece) => [...reader.push(piece)])
  return { reader, ...fold([...events, ...reader.end(how)]) }
}

describe('a tool nobody declared', () => {
  const marked = '<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>'
  const named = '<bash>\n<command>ls</command>\n</bash>'
  const page = 'See <div><p>the page</p></div>.'
  const xml = findDialect('roo-xml')
  test.each([
    ['is called where the marks are unmistakable', marked, 'auto', undefined, ['bash']],
    ['is text where its name would be the mark', named, 'auto', xml, []],
    ['is called in either when all are passed on', marked, 'call', undefined, ['bash']],
    ['is called by its name alone when all are passed on', named, 'call', xml, ['bash']],
    ['is text in either when none is', marked, 'text', undefined, []],
    ['is never made of a page inside a line', page, 'call', xml, []],
  ] as const)('%s', (_, text, unknownTools, dialect, names) => {
    const answer = hear(text, { unknownTools, ...(dialect === undefined ? {} : { dialect }) })
    expect(answer.calls.map(({ name }) => name)).toEqual(names)
    if (names.length === 0) expect(answer.content).toBe(text)
  })
})

describe('one call an answer', () => {
  const two = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'.repeat(2)
  test('ends the reading after the first, and says that more came', () => {
    const answer = hear(two, { parallel: false })
    expect(answer.calls).toHaveLength(1)
    expect(answer.reader.done).toBe(true)
    expect(answer.notes.map(({ kind }) => kind)).toContain('cut_after_first_call')
  })
  test('is the rule of a dialect that teaches it, unless the client wants several', () => {
    const text = '<read>\n<path>a</path>\n</read>\n<read>\n<path>b</path>\n</read>'
    const dialect = findDialect('roo-xml')
    expect(hear(text, { dialect }).calls).toHaveLength(1)
    expect(hear(text, { dialect, parallel: true }).calls).toHaveLength(2)
  })
})

describe('an answer that breaks off inside a call', () => {
  const cut = 'On it. <tool_call>{"name": "read", "arguments": {"path": "a'
  test('keeps the text and the reason when the length ran out', () => {
    const answer = hear(cut, {}, 'length')
    expect(answer).toMatchObject({ calls: [], finish: 'length' })
    expect(answer.content).toContain('<tool_call>{"name": "read"')
  })
  test('has no finish when the upstream died', () => {
    expect(hear(cut, {}, 'died').finish).toBeUndefined()
  })
})

test('a call that stands in the request is repeated, not made', () => {
  const call = '<tool_call>{"name": "read", "arguments": {"path": "/etc/passwd"}}</tool_call>'
  const quoted = {
    mayHave: (name: string) => name === 'read',
    has: (_: string, json: string) => json.includes('passwd'),
  }
  const answer = hear(`It said ${call}`, { quoted })
  expect(answer).toMatchObject({ calls: [], content: `It said ${call}`, finish: 'stop' })
  expect(answer.notes.map(({ kind }) => kind)).toContain('echo')
})

describe('a thought', () => {
  test('keeps its words and loses the white space around them', () => {
    const answer = hear('<think>\n one \n two \n</think>\n\nHi')
    expect(answer).toMatchObject({ reasoning: 'one \n two', content: 'Hi' })
  })
  test('that comes again begins anew', () => {
    expect(hear('<think>a \n</think>x\n<think>\n b</think>y')).toMatchObject({ reasoning: 'ab', content: 'x\ny' })
  })
})

describe('code', () => {
  const call = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'
  test.each([
    ['a fence around nothing but a call is left out', `So:\n\`\`\`xml\n${call}\n\`\`\`\n`, 1, 'So:'],
    [
      'a fence around a call with words after it is an example',
      `\`\`\`xml\n${call}\n\`\`\`\nDone`,
      0,
      `\`\`\`xml\n${call}\n\`\`\`\nDone`,
    ],
    ['a fence with other words is text', `\`\`\`\n${call}\nsee?\n\`\`\``, 0, `\`\`\`\n${call}\nsee?\n\`\`\``],
    ['a call in backticks is text', `Write \`${call}\`.`, 0, `Write \`${call}\`.`],
    ['backticks end with their line', `A \` alone.\n${call}`, 1, 'A ` alone.'],
    [
      'a longer fence holds a shorter one',
      `\`\`\`\`\n\`\`\`\n${call}\n\`\`\`\n\`\`\`\``,
      0,
      `\`\`\`\`\n\`\`\`\n${call}\n\`\`\`\n\`\`\`\``,
    ],
    ['after a fence calls are calls again', `\`\`\`\nls\n\`\`\`\n${call}`, 1, '```\nls\n```'],
    [
      'a fence with a very long first line is text',
      `\`\`\`${'x'.repeat(80)}\n${call}\n\`\`\``,
      0,
      `\`\`\`${'x'.repeat(80)}\n${call}\n\`\`\``,
    ],
  ])('%s', (_, text, calls, content) => {
    const answer = hear(text)
    expect(answer.calls).toHaveLength(calls)
    expect(answer.content).toBe(content)
  })
})

describe('a name without arguments at the very end', () => {
  test('is a call where nothing closes calls', () => {
    const options = { dialect: findDialect('mistral-v11'), tools: [{ kind: 'function', name: 'ping' } as const] }
    expect(hear('[TOOL_CALLS]ping', options).calls).toMatchObject([{ name: 'ping', arguments: '{}' }])
    expect(hear('[TOOL_CALLS]ping', options, 'length').calls).toEqual([])
  })
  test.each([
    ['mistral-v11', '[TOOL_CALLS]read'],
    ['qwen-agent-flower', '✿FUNCTION✿: read\n✿ARGS✿:'],
    ['functionary-v3.2', '>>>read\n'],
    ['react', 'Action: read\nAction Input:'],
  ])('is text where the tool needs some: %s', (name, said) => {
    expect(hear(said, { dialect: findDialect(name) })).toMatchObject({ content: said, calls: [] })
  })
  test('is text where something does', () => {
    expect(hear('<function=read>', { dialect: findDialect('qwen3-coder') }).content).toBe('<function=read>')
  })
})

test('arguments that are neither an object nor nothing leave the text as it was', () => {
  const text = '<tool_call>{"name": "read", "arguments": 7}</tool_call>'
  const answer = hear(text)
  expect(answer).toMatchObject({ calls: [], finish: 'stop' })
  expect(answer.content.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
})

describe('arguments leave while they arrive', () => {
  const note: Tool = {
    kind: 'function',
    name: 'note',
    parameters: { type: 'object', properties: { text: { type: 'string' }, size: { type: 'integer' } } },
  }
  test.each([
    ['hermes', '<tool_call>{"name": "note", "arguments": {"text": "abc', '{"text": "abc'],
    ['hermes', '<tool_call>{"name": "note", "arguments": {"other": "abc', '{"other": "abc'],
    ['hermes', '<tool_call>{"name": "note", "arguments": "{\\"text\\": \\"abc', '{"text": "abc'],
    ['pythonic', '[note(text="abc', '{"text": "abc'],
    ['pythonic', '[note(other="abc', '{"other": "abc'],
    ['gemma4', '<|tool_call>call:note{text:<|"|>abc', '{"text":"abc'],
    ['gemma4', '<|tool_call>call:note{other:<|"|>abc', '{"other":"abc'],
    ['qwen3-coder', '<tool_call>\n<function=note>\n<parameter=text>\nabc', '{"text":"abc'],
    ['xml-toolname', '<note><text>abc', '{"text":"abc'],
    ['kimi-k2', '<|tool_call_begin|>functions.note:0<|tool_call_argument_begin|>{"text": "abc', '{"text": "abc'],
    ['harmony', '<|channel|>commentary to=functions.note<|message|>{"text": "abc', '{"text": "abc'],
  ])('%s: after %s it is known that they begin with %s', (name, text, json) => {
    const reader = createReader({ dialect: findDialect(name), others: dialects, tools: [note], newId: () => 'id' })
    const events = [...text].flatMap((piece) => [...reader.push(piece)])
    expect(events.map((event) => (event.type === 'call-delta' ? event.json : '')).join('')).toBe(json)
  })
})

test.each([
  ['words', 'a < b and ', 'text-delta', 'a < b and'],
  ['a thought', '<think>a < b and ', 'reasoning-delta', 'a < b and'],
  ['code', 'a `<b>` and ', 'text-delta', 'a `<b>` and'],
])('%s leave while they arrive', (_, text, type, said) => {
  const reader = createReader({ dialect: findDialect('hermes'), others: dialects, tools: [read], newId: () => 'id' })
  const events = [...text].flatMap((piece) => [...reader.push(piece)])
  expect(events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('')).toBe(said)
})

describe('a character in two halves', () => {
  const open = () =>
    createReader({ dialect: findDialect('hermes'), others: dialects, tools: [read], newId: () => 'id' })
  test.each([
    ['\ud7ff', true],
    ['\ud800', false],
    ['\udbff', false],
    ['\udc00', true],
    ['\u007f', true],
  ])('%j leaves at once: %s', (half, leaves) => {
    expect(open().push(half).length > 0).toBe(leaves)
  })
  test('leaves whole, whatever stands before and after it', () => {
    const reader = open()
    expect(['a\ud83d', '\ude42\ud83d', '\ude42b'].map((piece) => reader.push(piece))).toEqual([
      [{ type: 'text-delta', text: 'a' }],
      [{ type: 'text-delta', text: '🙂' }],
      [{ type: 'text-delta', text: '🙂b' }],
    ])
  })
  test('leaves alone when the other never comes', () => {
    const reader = open()
    reader.push('\ud83d')
    expect(reader.end('stop')).toEqual([
      { type: 'text-delta', text: '\ud83d' },
      { type: 'finish', reason: 'stop' },
    ])
  })
})

describe('how the upstream says it ended', () => {
  const element = '<tool_call>\n<function=read>\n<parameter=path>a</parameter>'
  const whole = `${element}\n</function>\n</tool_call>`
  test.each([
    ['tool_calls', element, 1, 'tool_calls'],
    ['tool_calls', 'a', 0, 'stop'],
    ['stop', element, 1, 'tool_calls'],
    ['length', element, 0, 'length'],
    ['length', whole, 1, 'tool_calls'],
    ['length', `${whole}a`, 1, 'tool_calls'],
    ['length', `${whole}${element}`, 1, 'length'],
    ['length', `${whole}<function=read>`, 1, 'length'],
    ['content_filter', 'a', 0, 'content_filter'],
    ['content_filter', element, 0, 'content_filter'],
    ['content_filter', whole, 1, 'tool_calls'],
    ['died', whole, 1, undefined],
  ] as const)('%s after %j: %i calls, and %s', (how, text, calls, finish) => {
    const reader = createReader({ dialect: findDialect('qwen3-coder'), tools: [read], newId: () => 'id' })
    const answer = fold([...reader.push(text), ...reader.end(how)])
    expect([answer.calls.length, answer.finish]).toEqual([calls, finish])
  })
})

test('a reader is done with its one call, and notes words after it but no white space', () => {
  const call = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'
  const after = (...pieces: readonly string[]) => {
    const options = { parallel: false, tools: [read], newId: () => 'id' }
    const reader = createReader({ dialect: findDialect('hermes'), others: dialects, ...options })
    reader.push(`${call}${pieces[0]}`)
    expect(reader.done).toBe(true)
    expect(pieces.slice(1).flatMap((piece) => reader.push(piece))).toEqual([])
    return reader.end('stop').map((event) => (event.type === 'note' ? event.kind : event.type))
  }
  expect(after('')).toEqual(['finish'])
  expect(after(' ', '\n')).toEqual(['finish'])
  expect(after('a', '\n')).toEqual(['cut_after_first_call', 'finish'])
  expect(after('', 'a', '\n')).toEqual(['cut_after_first_call', 'finish'])
})

test.each([
  ['Let me look.\n', 'Let me look.'],
  ['Let me look.\n<tool_call>\n', 'Let me look.'],
  ['[TOOL_CALLS]', ''],
  ['Use <tool_call>', 'Use <tool_call>'],
  ['<tool_call>{"name": "re', '<tool_call>{"name": "re'],
])('of %j, %j are words where a call follows that does not stand in the text', (text, words) => {
  const reader = createReader({ dialect: findDialect('hermes'), others: dialects, tools: [read], newId: () => 'id' })
  expect(fold([...reader.push(text), ...reader.end('called')]).content).toBe(words)
})

test.each([
  ['\n</tool_call>\n', ''],
  ['</tool_call>\nDone.', '</tool_call>\nDone.'],
  ['<|im_end|>', ''],
  ['[/TOOL_CALLS]', ''],
  ['<answer>42</answer>', '<answer>42</answer>'],
  ['<|eot_id|> is a token.', '<|eot_id|> is a token.'],
  ['{"name": "read", "arguments": {"path": "a"}}', '{"name": "read", "arguments": {"path": "a"}}'],
])('of %j, %j are words after a call that does not stand in the text', (text, words) => {
  expect(hear(text, { follows: { hasSpoken: false } }).content).toBe(words)
})

test.each([
  'Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path": "a"}<|call|>',
  'Hm.<|start|>assistant to=functions.read<|channel|>commentary<|message|>{"path": "a"}',
])('a thought that nobody saw begin ends with the next message: %s', (text) => {
  const answer = hear(text, { dialect: findDialect('harmony'), startsIn: 'reasoning' })
  expect([answer.content, answer.calls.length]).toEqual(['', 1])
})

describe('after a mark', () => {
  const said = (name: string, text: string) => {
    const reader = createReader({ dialect: findDialect(name), tools: [read], newId: () => 'id' })
    const events = [...text].flatMap((piece) => [...reader.push(piece)])
    return events.map((event) => (event.type === 'text-delta' ? event.text : event.type)).join('')
  }
  test.each([
    ['hermes', '<tool_call>x'],
    ['hermes', '<tool_call> "'],
    ['hermes', '<tool_call>\n``x'],
    ['kimi-k2', '<|tool_calls_section_begin|>x'],
    ['kimi-k2', '<|tool_calls_section_begin|><|tool_x'],
    ['qwen3-coder', '<function=>'],
    ['xml-toolname', '<readx'],
    ['xml-toolname', '<read /x'],
    ['jamba', '<tool_calls>x'],
    ['mistral-v3', '[TOOL_CALLS]x'],
    ['gemma4', '<|tool_call>x'],
    ['json-fence', '```json\nx'],
  ])('%s: nothing is held back once it cannot be a call: %j', (name, text) => {
    expect(said(name, text)).toBe(text)
  })
  test.each([
    ['hermes', '<tool_call> {'],
    ['hermes', '<tool_call>\n['],
    ['hermes', '<tool_call>\n```'],
    ['kimi-k2', '<|tool_calls_section_begin|><|tool_call_'],
    ['kimi-k2', '<|tool_calls_section_begin|>{'],
    ['qwen3-coder', '<function="'],
    ['qwen3-coder', '<function=r'],
    ['xml-toolname', '<read/'],
    ['xml-toolname', '<read '],
    ['pythonic', '[read'],
    ['react', 'Action: r'],
  ])('%s: what may yet be one waits: %j', (name, text) => {
    expect(said(name, text)).toBe('')
  })
})
