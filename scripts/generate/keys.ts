type Schema = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The keys of the config file as a table, one row each, in the order of the schema. */
export function printKeys(schema: object): string {
  const rows = rowsOf(schema as Schema, '')
  return `| key | values | default | |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

function rowsOf(schema: Schema, path: string): readonly string[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).flatMap(([name, value]) => (isObject(value) ? rowOf(value, `${path}${name}`) : []))
}

function rowOf(schema: Schema, path: string): readonly string[] {
  if (path === '$schema') return []
  const own = `| \`${path}\` | ${valuesOf(schema)} | ${defaultOf(schema)} | ${schema['description'] ?? ''} |`
  if (isObject(schema['additionalProperties'])) {
    const each = schema['additionalProperties']
    const kinds = listOf(each['oneOf'] ?? each['anyOf'])
    if (kinds.length === 0) return isObject(each['properties']) ? rowsOf(each, `${path}.NAME.`) : [own]
    return kinds
      .flatMap((kind) => rowsOf(kind, `${path}.NAME (${kindOf(kind)}).`))
      .filter((row) => !/\.kind`/.test(row))
  }
  if (isObject(schema['properties'])) return rowsOf(schema, `${path}.`)
  return [own, ...listOf(schema['anyOf']).flatMap((shape) => rowsOf(shape, `${path}.`))]
}

function kindOf({ properties }: Schema): string {
  const kind = isObject(properties) ? properties['kind'] : undefined
  return isObject(kind) ? `kind ${String(kind['const'])}` : ''
}

/** Of more than this, the list is elsewhere. */
const listed = 8

function valuesOf(schema: Schema): string {
  const { enum: choices, type, items, minimum, maximum } = schema
  if (Array.isArray(choices)) {
    if (choices.length <= listed) return choices.map((choice) => `\`${String(choice)}\``).join(', ')
    return `\`${String(choices[0])}\` or a name`
  }
  if ('const' in schema) return `\`${String(schema['const'])}\``
  const alternatives = listOf(schema['anyOf'])
  if (alternatives.length > 0) return [...new Set(alternatives.map(valuesOf))].join(' or ')
  if (type === 'array') return isObject(items) ? `list of ${valuesOf(items)}` : 'list'
  if (type === 'integer' && typeof minimum === 'number' && minimum >= 0 && typeof maximum === 'number')
    return `${minimum} to ${maximum}`
  return (
    { string: 'text', boolean: 'true or false', number: 'number', integer: 'number', object: 'keys' }[String(type)] ??
    ''
  )
}

function defaultOf({ default: standard }: Schema): string {
  return standard === undefined ? '' : `\`${typeof standard === 'string' ? standard : JSON.stringify(standard)}\``
}
