import { dialects } from '../../dialects/registry.ts'
import { doors } from '../../doors/registry.ts'
import { printCalls } from '../../engine/print.ts'
import { rehearsal } from '../../rehearsal/kind.ts'
import { flavours } from '../../upstreams/flavours/registry.ts'
import { kinds } from '../../upstreams/registry.ts'

export const dialectNames: readonly string[] = dialects.map(({ name }) => name)

/** What the configuration may name: every dialect, flavour and door, every kind of service and the stand-in for one. */
export const vocabulary = {
  dialects: dialectNames,
  flavours: flavours.map(({ name }) => name),
  doors: doors.map(({ name }) => name),
  kinds: [...kinds, rehearsal],
}

/** How a dialect is named on the command line; each verb adds what it does with it. */
export const dialectFlag = {
  type: 'text',
  value: 'NAME',
  choices: ['auto', ...dialectNames],
  listedBy: 'dragoman dialects',
} as const

/** The table of dialects; the example is printed by each one's own grammar. */
export function describeDialects() {
  const call = { id: 'call_1', name: 'read_file', arguments: '{"path": "README.md"}' }
  return dialects.map((dialect) => ({
    name: dialect.name,
    models: dialect.models,
    example: printCalls(dialect, [call]),
  }))
}
