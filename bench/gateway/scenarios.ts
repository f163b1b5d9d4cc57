import { scripts } from './answers.ts'
import type { Job } from './load.ts'

/** One thing that is measured, at every gateway in turns. */
export interface Scenario {
  readonly name: string
  readonly title: string
  /** What a figure is counted for. */
  readonly per: 'request' | 'event'
  readonly job: Omit<Job, 'port'>
  readonly rounds: number
  /**
   * Every gateway does the job for at least so long before a round counts, and then while it gets faster: V8 compiles what
   * is hot for some ten thousand requests, and meanwhile that is what would be measured. Default 4.
   */
  readonly warmUpSeconds?: number
  /** Before each round that counts: what brings a conversation to the turn where it is measured. */
  readonly before?: Omit<Job, 'port'>
  readonly measure: 'cpu' | 'first-byte'
  /** How many times the pass-through's figure is aimed at, and with how many the bench fails. */
  readonly target?: number
  readonly bound?: number
  /** The same of the time events take from the service to the client, where they tell when they left. */
  readonly delay?: { readonly target: number; readonly bound: number }
}

const calls = '"name":"tool_1"'
const turns = 40
const conversations = 32

export const scenarios: readonly Scenario[] = [
  {
    name: 'cold',
    title: 'the first 1,000 short answers after a start',
    per: 'request',
    job: { model: 'short', stream: true, connections: 32, requests: 1000, expects: calls },
    rounds: 1,
    warmUpSeconds: 0,
    measure: 'cpu',
  },
  {
    name: 'whole',
    title: 'whole answers, 258 events of the service each, 32 at once',
    per: 'request',
    job: { model: 'text-calls', stream: false, connections: 32, requests: 640, expects: 'tool_1' },
    rounds: 5,
    warmUpSeconds: 8,
    measure: 'cpu',
    target: 2,
    bound: 12,
  },
  {
    name: 'coalesced',
    title: 'streams at full speed, a third of each a call in text, 32 at once',
    per: 'event',
    job: { model: 'text-calls', stream: true, connections: 32, requests: 640, expects: 'tool_1' },
    rounds: 5,
    measure: 'cpu',
    target: 2.6,
    bound: 12,
  },
  {
    name: 'single-writes',
    title: 'the same, the service writing one event at a time',
    per: 'event',
    job: { model: 'single-writes', stream: true, connections: 32, requests: 640, expects: 'tool_1' },
    rounds: 5,
    measure: 'cpu',
    target: 1.1,
    bound: 8,
  },
  {
    name: 'native',
    title: 'streams at full speed with native calls',
    per: 'event',
    job: { model: 'native-calls', stream: true, connections: 32, requests: 640, expects: calls },
    rounds: 5,
    measure: 'cpu',
    target: 2.6,
    bound: 12,
  },
  {
    name: 'paced',
    title: '256 streams of 50 events a second: one event a read',
    per: 'event',
    job: { model: 'paced', stream: true, connections: 256, requests: 256, stamped: true, expects: '@' },
    rounds: 3,
    measure: 'cpu',
    target: 2.3,
    bound: 3,
    delay: { target: 1.2, bound: 60 },
  },
  {
    name: 'paced-native',
    title: 'the same with native calls',
    per: 'event',
    job: { model: 'paced-native', stream: true, connections: 256, requests: 256, expects: calls },
    rounds: 3,
    measure: 'cpu',
    target: 2.3,
    bound: 3,
  },
  {
    name: 'first-byte',
    title: 'first byte of one stream, beyond what the service takes',
    per: 'request',
    job: { model: 'short', stream: true, connections: 1, requests: 300 },
    rounds: 5,
    measure: 'first-byte',
    target: 2.5,
    bound: 8,
  },
  {
    name: 'short',
    title: 'short answers, 11 events, streamed, 32 at once',
    per: 'request',
    job: { model: 'short', stream: true, connections: 32, requests: 1600, expects: calls },
    rounds: 5,
    warmUpSeconds: 8,
    measure: 'cpu',
    target: 6.5,
    bound: 20,
  },
  {
    name: 'short-whole',
    title: 'short answers, not streamed',
    per: 'request',
    job: { model: 'short', stream: false, connections: 32, requests: 1600, expects: 'tool_1' },
    rounds: 5,
    measure: 'cpu',
    target: 6.5,
    bound: 20,
  },
  {
    name: 'conversation',
    title: `turns ${turns - 9} to ${turns} of conversations with tools, short answers`,
    per: 'request',
    before: { model: 'short', stream: true, connections: conversations, requests: conversations, fromTurn: turns - 11 },
    job: {
      model: 'short',
      stream: true,
      connections: conversations,
      requests: conversations * 10,
      fromTurn: turns - 10,
    },
    rounds: 5,
    warmUpSeconds: 8,
    measure: 'cpu',
    target: 8,
    bound: 40,
  },
  {
    name: 'long-argument',
    title: 'one argument of 64 kB in pieces of 4 characters',
    per: 'event',
    job: { model: 'long-argument', stream: true, connections: 4, requests: 16, expects: calls },
    rounds: 5,
    measure: 'cpu',
    target: 1.5,
    bound: 12,
  },
]

export function unitsOf({ per, job }: Scenario): number {
  const events = scripts[job.model]?.events.length ?? 1
  return per === 'request' ? job.requests : job.requests * events
}
