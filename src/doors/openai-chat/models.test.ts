import { expect, test } from 'vitest'
import { GatewayError } from '../../errors.ts'
import { printModel, printModels } from './models.ts'

const cards = [
  { id: 'Qwen/Qwen3', ownedBy: 'local', tools: 'prompt', dialect: 'hermes', contextLength: 4096 },
  { id: 'gpt', ownedBy: 'remote', tools: 'auto' },
] as const

const first = {
  id: 'Qwen/Qwen3',
  object: 'model',
  created: 9,
  owned_by: 'local',
  context_length: 4096,
  dragoman: { tools: 'prompt', dialect: 'hermes' },
}

test('models are listed with what we do for them', () => {
  const second = { id: 'gpt', object: 'model', created: 9, owned_by: 'remote', dragoman: { tools: 'auto' } }
  expect(JSON.parse(printModels(cards, 9))).toEqual({ object: 'list', data: [first, second] })
})

test('one model is found by its id, slash and all', () => {
  expect(JSON.parse(printModel('Qwen/Qwen3', cards, 9))).toEqual(first)
})

test('an unknown model is not found', () => {
  expect(() => printModel('nope', cards, 9)).toThrow(GatewayError)
})
