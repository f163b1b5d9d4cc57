import { expect, test } from 'vitest'
import * as core from '../../src/core.ts'
import { hermes as hermesData } from '../../src/dialects/hermes.ts'
import { olmo3 as olmo3Data } from '../../src/dialects/olmo3.ts'
import { dialects } from '../../src/dialects/registry.ts'
import * as engine from '../../src/engine.ts'
import { goldens, tools } from '../goldens/read.ts'
import { pick } from './pick.ts'

const [hermes, olmo3] = [pick(hermesData), pick(olmo3Data)]

test.each(dialects)('$name, picked by itself, reads its goldens as the whole engine does', (dialect) => {
  const cases = goldens.get(dialect.name)?.filter((golden) => golden.dialect === dialect.name) ?? []
  expect(cases.length).toBeGreaterThan(0)
  for (const { title, said, given } of cases) {
    const options = { others: [], tools, newId: () => 'id', unknownTools: given.unknownTools }
    const whole = engine.readAll(said, { ...options, dialect })
    expect({ title, ...core.readAll(said, { ...options, dialect: pick(dialect) }) }).toEqual({ title, ...whole })
  }
})

test('a dialect of your own is read with the code of one that is written like it', () => {
  const call = { open: ['<<'], close: ['>>'] }
  const own = core.defineDialect({ ...hermes, name: 'own', grammar: { ...hermes.grammar, call } }, hermes)
  const said = core.printCalls([{ name: 'ping', arguments: {} }], { dialect: own })
  expect(said).toBe('<<{"name": "ping", "arguments": {}}>>')
  expect(core.readAll(`Now. ${said}`, { dialect: own, tools })).toMatchObject({
    content: 'Now.',
    calls: [{ name: 'ping' }],
  })
})

test('a text in Python, where an object is due, is an object where Python was brought along', () => {
  const scene = JSON.stringify("{'name': 'dusk', 'fade': 2}")
  const said = `<tool_call>\n{"name": "set_lamp", "arguments": {"room": "den", "scene": ${scene}}}\n</tool_call>`
  const sceneOf = (others: readonly core.Dialect[]): unknown => {
    const { calls } = core.readAll(said, { dialect: hermes, others, tools })
    return (JSON.parse(calls[0]?.arguments ?? '{}') as { scene?: unknown }).scene
  }
  expect(sceneOf([])).toBe("{'name': 'dusk', 'fade': 2}")
  expect(sceneOf([olmo3])).toEqual({ name: 'dusk', fade: 2 })
})
