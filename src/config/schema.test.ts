import { expect, test } from 'vitest'
import { toConfigJsonSchema } from '../../test/config.ts'

test('the JSON Schema is strict, knows the dialects and describes its fields', () => {
  const schema = toConfigJsonSchema(['hermes']) as {
    additionalProperties: boolean
    required?: string[]
    properties: Record<
      string,
      { description?: string; additionalProperties?: { properties: Record<string, { enum?: string[] }> } }
    >
  }
  expect(schema.additionalProperties).toBe(false)
  expect(schema.required).toBeUndefined()
  expect(schema.properties['models']?.additionalProperties?.properties['dialect']?.enum).toEqual(['auto', 'hermes'])
  expect(schema.properties['listen']?.description).toContain('HOST:PORT')
})
