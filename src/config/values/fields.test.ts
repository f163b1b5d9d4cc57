import { expect, test } from 'vitest'
import { durationPattern, sizePattern, toBytes, toMilliseconds } from './fields.ts'

test.each([
  ['250ms', 250],
  ['5s', 5000],
  ['1.5s', 1500],
  ['30m', 1_800_000],
  ['1h', 3_600_000],
  ['2d', 172_800_000],
  [600, 600_000],
  [0, 0],
])('the duration %j is %d ms', (duration, milliseconds) => {
  expect(toMilliseconds(duration)).toBe(milliseconds)
})

test.each([
  ['12b', 12],
  ['512kb', 524_288],
  ['32mb', 33_554_432],
  ['32MB', 33_554_432],
  ['1gb', 1_073_741_824],
  [1000, 1000],
])('the size %j is %d bytes', (size, bytes) => {
  expect(toBytes(size)).toBe(bytes)
})

test.each(['5', 's', '5 s', '-5s', '5sec', '1e3s', ''])('%j is not a duration', (text) => {
  expect(durationPattern.test(text)).toBe(false)
})

test.each(['32', 'mb', '32 mb', '-1kb', '1kib', ''])('%j is not a size', (text) => {
  expect(sizePattern.test(text)).toBe(false)
})
