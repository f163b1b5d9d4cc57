/** An object with the fields that are there. Itself, where all of them are: it is made for every message of every request. */
export function withoutUndefined(fields: object): object {
  const names = Object.keys(fields) as (keyof typeof fields)[]
  if (names.every((name) => fields[name] !== undefined)) return fields
  const found: Record<string, unknown> = {}
  for (const name of names) if (fields[name] !== undefined) put(found, name, fields[name])
  return found
}

/** Of the names a client may choose, one would not make a field. */
function put(into: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') into[name] = value
  else Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true })
}
