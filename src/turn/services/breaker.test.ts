import { expect, test } from 'vitest'
import { createBreaker } from './relay.ts'

function start() {
  let time = 0
  const breaker = createBreaker(() => time)
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) breaker.fail()
  }
  return { breaker, fail, pass: (ms: number) => (time += ms) }
}

test('five failures in a row open it, four and a success do not', () => {
  const { breaker, fail } = start()
  fail(4)
  breaker.succeed()
  fail(4)
  expect(breaker.state).toBe('closed')
  fail(1)
  expect(breaker.state).toBe('open')
})

test('after ten seconds one may try, and the others wait for how it went', () => {
  const { breaker, fail, pass } = start()
  fail(5)
  pass(9_999)
  expect(breaker.state).toBe('open')
  pass(1)
  expect(breaker.state).toBe('half-open')
  breaker.begin()
  expect(breaker.state).toBe('open')
  breaker.succeed()
  expect(breaker.state).toBe('closed')
})

test('a trial that fails opens it for another ten seconds', () => {
  const { breaker, fail, pass } = start()
  fail(5)
  pass(10_000)
  breaker.begin()
  fail(1)
  pass(9_999)
  expect(breaker.state).toBe('open')
  pass(1)
  expect(breaker.state).toBe('half-open')
})

test('a trial without a report does not bar the next for ever', () => {
  const { breaker, fail, pass } = start()
  fail(5)
  pass(10_000)
  breaker.begin()
  pass(10_000)
  expect(breaker.state).toBe('half-open')
})

test('who asked for a rest is left alone for that long, a minute at most', () => {
  const { breaker, pass } = start()
  breaker.rest(2_000)
  pass(1_999)
  expect(breaker.state).toBe('open')
  pass(1)
  expect(breaker.state).toBe('closed')
  breaker.rest(3_600_000)
  pass(60_000)
  expect(breaker.state).toBe('closed')
})
