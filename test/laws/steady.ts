import { deepEqual, ok } from 'node:assert/strict'
import { type Event, isAside } from '../../src/protocol/event.ts'
import { fold } from '../../src/protocol/fold.ts'
import { createJsonWatcher, type JsonWatcher } from './json-prefix.ts'

/** What was said at any moment is the beginning of what was said in the end. */
export function assertSteady(batches: readonly (readonly Event[])[]): void {
  assertJson(batches)
  const half = fold(batches.slice(0, batches.length / 2).flat())
  const whole = fold(batches.flat())
  ok(whole.content.startsWith(half.content), 'content was taken back')
  ok(whole.reasoning.startsWith(half.reasoning), 'reasoning was taken back')
  deepEqual(whole.calls.slice(0, half.calls.length), half.calls)
}

/**
 * Watches the arguments of every call, push by push: a prefix of JSON at all times, whole exactly when the call ends,
 * never whole when it was given up, no call left open, and nothing else said while one is.
 */
function assertJson(batches: readonly (readonly Event[])[]): void {
  const open = new Map<number, JsonWatcher>()
  for (const batch of batches) {
    for (const event of batch) {
      const isOther = !isAside(event) && !('index' in event && open.has(event.index ?? -1))
      ok(open.size === 0 || !isOther, `${event.type} before the call ended`)
      if (event.type === 'call-start') open.set(event.index, createJsonWatcher())
      else if (event.type === 'call-delta') ok(open.get(event.index)?.push(event.json), `no JSON at ${event.json}`)
      else if (event.type === 'call-end') ok(open.get(event.index)?.isComplete, 'a call ended before its arguments')
      else if (event.type === 'call-error') ok(open.get(event.index)?.isComplete === false, 'a call given up is whole')
      if (event.type === 'call-end' || event.type === 'call-error') open.delete(event.index)
    }
    for (const watcher of open.values()) ok(!watcher.isComplete, 'the arguments are whole, the call is not')
  }
  ok(open.size === 0, 'a call was neither ended nor given up')
}
