import { expect, test } from 'vitest'
import { schemaOf } from '../../test/engine/collect.ts'
import { readYaml } from './yaml.ts'

const node = schemaOf({
  text: { type: 'string' },
  n: { type: 'integer' },
  list: { type: 'array', items: { type: 'string' } },
})

test.each([
  ['\ntext: a\nn: 3\n', '{"text": "a", "n": 3}'],
  ['\n  text: 12\n  n: "3"\n', '{"text": "12", "n": 3}'],
  ['text: |\n  a\n    b\n', '{"text": "a\\n  b\\n"}'],
  ['list: [1, b]', '{"list": ["1", "b"]}'],
  ['list:\n  - 1\n  - "2"', '{"list": ["1", "2"]}'],
  ['other: {a: 1.0, b: yes, c: null, d: "5"}', '{"other": {"a": 1.0, "b": "yes", "c": null, "d": "5"}}'],
  ['text: null\nn:', '{"text": "null", "n": null}'],
  ['   ', '{}'],
  ['<text>a</text><n>3</n>', '{"text":"a","n":3}'],
  ['just words', undefined],
  ['- a\n- b', undefined],
  ['text: [a', undefined],
  ['text: &x a\nn: *x', undefined],
])('%j', (text, json) => {
  expect(readYaml(text, node)).toBe(json)
})
