import { expect, test } from 'vitest'
import type { ListingStyle } from '../../../../dialects/dialect.ts'
import { dialects } from '../../../../dialects/registry.ts'
import type { Tool } from '../../../../protocol/tool.ts'
import { listings } from '../listing.ts'

const tool: Tool = {
  kind: 'function',
  name: 'get_temp',
  description: 'Read a sensor.\nSlowly.',
  parameters: {
    type: 'object',
    properties: {
      room: { type: 'string', description: 'Room' },
      n: { type: 'integer', minimum: 1 },
      unit: { enum: ['C', 'F'], default: 'C' },
      'x-deep': { type: 'object', properties: { k: { type: 'array', items: { type: ['number', 'null'] } } } },
    },
    required: ['room'],
  },
}

const printed: Partial<Record<ListingStyle, string>> = {
  typescript: `// Read a sensor.
// Slowly.
type get_temp = (_: {
// Room
room: string,
n?: number, // integer; minimum: 1
unit?: "C" | "F", // default: "C"
"x-deep"?: {
k?: Array<number | null>,
},
}) => any;`,
  python: `def get_temp(room: str, n: int = None, unit: str = None):
    """
    Read a sensor.
    Slowly.

    Args:
    - room: (required) string - Room
    - n: (optional) integer (minimum: 1)
    - unit: (optional) string (one of: "C", "F"; default: "C")
    - x-deep: (optional) object
      - k: (optional) array
    """`,
  'qwen-xml': `<function>
<name>get_temp</name>
<description>Read a sensor.
Slowly.</description>
<parameters>
<parameter>
<name>room</name>
<type>string</type>
<description>Room</description>
</parameter>
<parameter>
<name>n</name>
<type>integer</type>
<minimum>1</minimum>
</parameter>
<parameter>
<name>unit</name>
<enum>["C", "F"]</enum>
<default>C</default>
</parameter>
<parameter>
<name>x-deep</name>
<type>object</type>
<properties>{"k": {"type": "array", "items": {"type": ["number", "null"]}}}</properties>
</parameter>
<required>["room"]</required>
</parameters>
</function>`,
  pseudo:
    'declaration:get_temp{description:<|"|>Read a sensor.\nSlowly.<|"|>,parameters:{type:<|"|>OBJECT<|"|>,properties:{' +
    'room:{type:<|"|>STRING<|"|>,description:<|"|>Room<|"|>},n:{type:<|"|>INTEGER<|"|>,minimum:1},' +
    'unit:{enum:[<|"|>C<|"|>,<|"|>F<|"|>],default:<|"|>C<|"|>},x-deep:{type:<|"|>OBJECT<|"|>,properties:{' +
    'k:{type:<|"|>ARRAY<|"|>,items:{type:[<|"|>NUMBER<|"|>,<|"|>NULL<|"|>]}}}}},required:[<|"|>room<|"|>]}}',
}

test.each(Object.entries(printed))('a tool as %s', (style, wanted) => {
  const dialect = dialects.find(({ teaching }) => teaching.tools.style === style)
  expect(dialect && listings[style as ListingStyle](tool, dialect)).toBe(wanted)
})

test('keys are sorted where a model knows them so, and there are no spaces', () => {
  const [dialect] = dialects
  const text = dialect && listings['sorted-json']({ kind: 'function', name: 'now', description: 'Time' }, dialect)
  expect(text).toBe(
    '{"function":{"description":"Time","name":"now","parameters":{"properties":{},"type":"object"}},"type":"function"}',
  )
})

test('every style is some dialect’s', () => {
  const used = new Set(dialects.map(({ teaching }) => teaching.tools.style))
  expect(Object.keys(listings).filter((style) => !used.has(style as ListingStyle))).toEqual([])
})

test('a property called type is a property', () => {
  const typed: Tool = {
    kind: 'function',
    name: 'x',
    parameters: { type: 'object', properties: { type: { type: 'string' } } },
  }
  const dialect = dialects.find(({ teaching }) => teaching.tools.style === 'pseudo')
  expect(dialect && listings.pseudo(typed, dialect)).toContain('properties:{type:{type:<|"|>STRING<|"|>}}')
})
