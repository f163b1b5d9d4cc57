import { nearest } from '../../../protocol/text/nearest.ts'
import { UsageError } from '../../arguments.ts'
import type { Client } from './client.ts'

/** The client of this name; wrong usage where there is none among these. */
export function findClient(name: string | undefined, clients: readonly Client[]): Client {
  const client = clients.find((one) => one.name === name)
  if (client !== undefined) return client
  const names = clients.map((one) => one.name)
  if (name === undefined) throw new UsageError(`Which client? Name one of ${names.join(', ')}.`)
  const meant = nearest(name, names)
  const remedy = meant === undefined ? `Known clients: ${names.join(', ')}.` : `Did you mean "${meant}"?`
  throw new UsageError(`There is no client called "${name}". ${remedy}`)
}
