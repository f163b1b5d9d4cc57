import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { hear } from './hear.ts'

const text = { type: 'string' }
const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'run',
    parameters: { type: 'object', properties: { command: text }, required: ['command'] },
  },
  {
    kind: 'function',
    name: 'write_file',
    parameters: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  },
]

type Members = readonly (readonly [key: string, value: string])[]

interface Form {
  /** A call of `write_file`. */
  readonly say: (members: Members) => string
  /** The tags around a value. */
  readonly open: (key: string) => string
  readonly close: string
}

function tagged(head: string, open: (key: string) => string, close: string, tail: string, layout = ''): Form {
  const say = (members: Members) =>
    `${head}${members.map(([key, value]) => `${open(key)}${layout}${value}${layout}${close}\n`).join('')}${tail}`
  return { say, open, close }
}

const byName = (key: string) => `<parameter name="${key}">`
const forms: Readonly<Record<string, Form>> = {
  'qwen3-coder': tagged(
    '<tool_call>\n<function=write_file>\n',
    (key) => `<parameter=${key}>`,
    '</parameter>',
    '</function>\n</tool_call>',
    '\n',
  ),
  'seed-oss': tagged(
    '<seed:tool_call>\n<function=write_file>\n',
    (key) => `<parameter=${key}>`,
    '</parameter>',
    '</function>\n</seed:tool_call>',
  ),
  'minimax-m2': tagged(
    '<minimax:tool_call>\n<invoke name="write_file">\n',
    byName,
    '</parameter>',
    '</invoke>\n</minimax:tool_call>',
  ),
  'anthropic-xml': tagged(
    '<function_calls>\n<invoke name="write_file">\n',
    byName,
    '</parameter>',
    '</invoke>\n</function_calls>',
  ),
  'glm-4.5': tagged(
    '<tool_call>write_file\n',
    (key) => `<arg_key>${key}</arg_key>\n<arg_value>`,
    '</arg_value>',
    '</tool_call>',
  ),
  'deepseek-dsml-v3.2': tagged(
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="write_file">\n',
    (key) => `<｜DSML｜parameter name="${key}" string="true">`,
    '</｜DSML｜parameter>',
    '</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  ),
}

const values: readonly string[] = [
  'const t = `a ${b}`;\nif (a < b && c > d) { return "</div>"; }',
  "cat > x <<'EOF'\n<p>hi & bye</p>\n$HOME \"q\" 'q'\nEOF",
  '^(?:<[^>]+>|\\\\d{1,3})+\\s*$',
  '<?xml version="1.0"?>\n<root a="1">\n  <item>1</item>\n  <item/>\n</root>',
  'a &amp; b &lt;c&gt; &quot;d&quot; &#39; &nbsp;',
  '{"name": "run", "arguments": {"a": [1, "c\\n\\"d\\""]}}',
  'one\r\ntwo\tthree',
  'a\u2028b\u2029c\ufeffd\u200be\u202ef 👩‍👩‍👧 \u2060 é \0',
  ...['null', '007', '1e400', 'true', '12345678901234567890', '-0', '1_000', 'NaN'],
  '}}]]{{[[ C:\\new\\u0041',
  '<think>x</think> and <|im_end|> stay, so does [TOOL_CALLS]',
  'x <![CDATA[ y ]]> z',
  'a\n\n\nb',
]

describe.each(Object.entries(forms))('a value in %s', (dialect, { say, open, close }) => {
  const hearFile = (content: string, members: Members) => {
    const { calls, text: words } = hear(dialect, say(members), { tools })
    expect({ words, calls: calls.map((call) => JSON.parse(call.slice('write_file '.length))) }, content).toEqual({
      words: '',
      calls: [{ path: 'a', content }],
    })
  }

  test.each(values)('is carried to the letter: %j', (value) => {
    hearFile(value, [
      ['path', 'a'],
      ['content', value],
    ] as const)
  })

  test('may speak of the tags of its own call', () => {
    const spoken = [`close with ${close} always`, `x\n${close}\ny`, `Use ${open('path')} so.`, `a\n${open('path')}\nb`]
    for (const value of spoken)
      hearFile(value, [
        ['content', value],
        ['path', 'a'],
      ] as const)
  })

  test('may hold whole calls of its own dialect', () => {
    const inner = say([
      ['path', 'x'],
      ['content', 'rm -rf /'],
    ] as const)
    const value = `# How to call\n\n${inner}\n\nor\n${inner}\n`
    hearFile(value, [
      ['path', 'a'],
      ['content', value],
    ] as const)
    hearFile(value, [
      ['content', value],
      ['path', 'a'],
    ] as const)
  })

  test('that never ends is not passed on', () => {
    const half = say([
      ['path', 'a'],
      ['content', 'half'],
    ] as const).slice(0, -close.length - 40)
    for (const ends of ['stop', 'length'] as const)
      expect(hear(dialect, `Ok.\n${half}`, { tools, ends }).finish, half).toBe(ends)
  })
})

test.each([
  ['x = "1", y = "2"'],
  ['print("hello")\\nprint("world")'],
  ['git commit -m "fix: "x" and y"'],
  ['echo "a" && echo "b"'],
  ['awk \'{print "$1"}\' file'],
  ['jq ".name" x.json'],
  ['if [ "$a" = "b" ]; then echo "c"; fi'],
  ['[ "$a" ] && [ -f "b" ] || echo "c"'],
  ['node -e "console.log({a: "b"})"'],
])('quotes nobody escaped: %s', (command) => {
  const said = `{"command": "${command}"}`
  const escaped = `run {"command": "${command.replaceAll('"', '\\"')}"}`
  for (const [dialect, whole] of [
    ['hermes', `<tool_call>{"name": "run", "arguments": ${said}}</tool_call>`],
    ['mistral-v11', `[TOOL_CALLS]run[ARGS]${said}`],
  ] as const)
    expect(hear(dialect, whole, { tools }).calls).toEqual([escaped])
})

const inner = '{"name": "run", "arguments": {"command": "ls"}}'
const quotedCall = `<tool_call>\n${inner}\n</tool_call>`

test.each([
  [
    'hermes',
    `<tool_call>\n{"name": "write_file", "arguments": {"path" "a", "content": "see ${quotedCall}, so"}}\n</tool_call>`,
  ],
  ['hermes', `<tool_call>\n{"name": "write_file", "arguments": {"path": "a", "content": "see ${quotedCall} and`],
  ['hermes', `<tool_call>\n{"name": "write_file", "arguments": {"path": "a", "content": "\n${quotedCall}\nSo"}\n`],
  ['hermes', `<tool_call>\n{"name": "run", "arguments": {"command": "x "}</tool_call> y"}}\n</tool_call>`],
  ['hermes', `<tool_call>\n{"name": "run", "arguments": {"command": "{"a": {"b": "c"}}${quotedCall}"}}\n</tool_call>`],
  [
    'qwen3-coder',
    '<tool_cal>\n<functio=write_file>\n<parameter=content>\n<tool_call>\n<function=run>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'harmony',
    `<|channel|>commentary to=functions.run <|message|>{"command": see <|start|>assistant<|channel|>commentary to=functions.run <|message|>{"command": "ls"}<|call|> so"}<|call|>`,
  ],
])('what a call that cannot be read quotes is not called: %s %j', (dialect, said) => {
  expect(hear(dialect, said, { tools })).toMatchObject({ calls: [], text: said })
})

test.each([
  ['', ''],
  ['Once more:\n', ''],
  ['', '\n\nThat lists the files.'],
])('a call that follows one that cannot be read is called: %j before it, %j behind it', (before, behind) => {
  const broken = '<tool_call>\n{"name": "run", "arguments": {"command" }}\n'
  const { calls, text: words } = hear('hermes', `${broken}${before}${quotedCall}${behind}`, { tools })
  expect({ calls, words: words.replace(/\s+/g, ' ') }).toEqual({
    calls: ['run {"command": "ls"}'],
    words: `${broken}${before}${behind}`.replace(/\s+/g, ' ').trim(),
  })
})

test.each([
  ['react', 'Action: run\nAction Input: "command": "ls"}'],
  ['react', 'Action: run\nAction Input:Action Input: {"command": "ls"}'],
  [
    'minicpm5',
    '<function name="run"><param name="command"></function><function name="run"><param name="</param>\n</function>',
  ],
])('what lost a sign is not taken for something else: %s %j', (dialect, said) => {
  expect(hear(dialect, said, { tools })).toMatchObject({ calls: [], text: said })
})

test.each([
  '{"path": "a,""content": "b"}',
  '{"path"": a", "content": "b"}',
  '{"path": :a", "content": "b"}',
  '{"path": "a", "content": "b}"',
])('a sign that stands in a text or beside it makes no call: %s', (json) => {
  const said = `<tool_call>{"name": "write_file", "arguments": ${json}}</tool_call>`
  expect(hear('hermes', said, { tools })).toMatchObject({ calls: [], text: said })
})

test('a mark with a blank in it is no tag of the argument', () => {
  const mark = '<｜DSML｜ invoke name="'
  const said = `<｜DSML｜ calls>\n<｜DSML｜ invoke name="run">\n<｜DSML｜ parameter name="command" string="true">${mark}</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>`
  expect(hear('deepseek-dsml-v4.1', said, { tools }).calls).toEqual([`run ${JSON.stringify({ command: mark })}`])
})

test.each([
  'Models emit <|im_start|>assistant first and <|im_end|> last, Llama uses <|eot_id|>, Gemma <end_of_turn>.',
  '<!DOCTYPE html>\n<p>Hi <a href="x">there</a></p>\n<code>run</code>\n',
  '| token | meaning |\n|---|---|\n| <think> | begins a thought |\n| </think> | ends it |\n| <|call|> | stop |\n',
  '```diff\n-<tool_call>\n+<function_call>\n```\nApplied.',
  '1. Open with <tool_call>\n2. Write the JSON\n3. Close with </tool_call>\n\nThat is all.',
  '> <|channel|>analysis<|message|> is how gpt-oss thinks.\n\nFrom its docs.',
  'The regex /<function=([^>]+)>/ finds names; /<\\|tool_call\\|>/ finds Granite.',
  '{"name": "run", "version": "1.0.0", "private": true}',
  '{"name": "run", "version": "1", "scripts": {"command": "x"}}',
  'The docs say "<tool_call>{"name": "run", "arguments": {"command": "ls"}}</tool_call>" is how.',
  'Use `<tool_call>{"name": "run", "arguments": {"command": "ls"}}</tool_call>`, they say.',
  'You can call:\n[run(command="ls")]\nto list files.',
  'ends with half a mark <|tool_call_b',
  'cat <<EOF\n<tool_call>\nEOF\nends up as text.',
  '\n\n  Blanks at both ends stay.  \r\n\n',
])('prose is untouched in every dialect: %j', (prose) => {
  for (const { name } of dialects) {
    const { calls, text: words } = hear(name, prose, { tools })
    expect({ name, calls, words }).toEqual({ name, calls: [], words: prose })
  }
})
