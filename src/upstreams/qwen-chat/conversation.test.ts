import { expect, test } from 'vitest'
import { createLocks } from './conversation.ts'

const never = new AbortController().signal

test('one at a time, in the order they came, and other keys do not wait', async () => {
  const locks = createLocks()
  const order: string[] = []
  const first = await locks.acquire('a', never)
  const others = ['second', 'third'].map(async (name) => {
    const release = await locks.acquire('a', never)
    order.push(name)
    release()
  })
  const elsewhere = await locks.acquire('b', never)
  elsewhere()
  expect(order).toEqual([])
  first()
  await Promise.all(others)
  expect(order).toEqual(['second', 'third'])
})

test('who stops waiting is passed over', async () => {
  const locks = createLocks()
  const controller = new AbortController()
  const first = await locks.acquire('a', never)
  const second = locks.acquire('a', controller.signal)
  const third = locks.acquire('a', never)
  controller.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  first()
  const release = await third
  release()
})

test('who is released twice does no harm', async () => {
  const locks = createLocks()
  const first = await locks.acquire('a', never)
  first()
  const second = await locks.acquire('a', never)
  first()
  let entered = false
  const third = locks.acquire('a', never).then((release) => {
    entered = true
    return release
  })
  await Promise.resolve()
  expect(entered).toBe(false)
  second()
  const release = await third
  release()
})
