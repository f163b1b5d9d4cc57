import type { Tool } from '../../src/protocol/tool.ts'

/** Tools as real servers offer them: a handful of parameters, some of them nested or bounded. */
export function manyTools(count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'function',
    name: `service_${index % 17}_do_${index}`,
    parameters: {
      type: 'object',
      properties: {
        [`path_${index % 40}`]: { type: 'string' },
        kind: { type: 'string', enum: ['file', 'folder', `other_${index}`] },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
        title: { type: 'string', maxLength: 80 },
        filters: {
          type: 'array',
          items: {
            type: 'object',
            properties: { key: { type: 'string' }, value: { type: 'string' } },
            required: ['key'],
          },
        },
      },
      required: [`path_${index % 40}`],
      additionalProperties: false,
    },
  }))
}
