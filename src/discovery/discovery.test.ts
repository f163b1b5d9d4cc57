import { expect, test } from 'vitest'
import { createDiscovery, goneAfterMs } from './discovery.ts'
import type { Sight } from './look.ts'
import { placesOn } from './places.ts'

/** A clock that moves when told to, and servers that come and go. */
function start(ports: readonly number[], isUp: (name: string) => boolean = () => false) {
  let now = 0
  let due: { at: number; run: () => void } | undefined
  const sights = new Map<number, Sight>()
  const looks: number[] = []
  const told: string[] = []
  let refuses = false
  const discovery = createDiscovery({
    places: () => placesOn(ports),
    isUp,
    clock: {
      now: () => now,
      after: (ms, run) => {
        due = { at: now + ms, run }
        return () => {
          due = undefined
        }
      },
    },
    lookAt: async ([place]) => {
      const port = Number(new URL(place?.url ?? '').port)
      looks.push(port)
      return sights.get(port) ?? { kind: 'none' }
    },
    onChange: (servers, { came, went }) => {
      if (refuses) throw new Error('refused')
      told.push(`+${came.map(({ name }) => name)} -${went.map(({ name }) => name)} =${servers.map(({ name }) => name)}`)
    },
  })
  async function pass(ms: number): Promise<void> {
    const until = now + ms
    while (due !== undefined && due.at <= until) {
      const { at, run } = due
      now = at
      due = undefined
      run()
      for (let turns = 0; turns < 20; turns += 1) await Promise.resolve()
    }
    now = until
  }
  const serve = (port: number, flavour = 'vllm') =>
    sights.set(port, { kind: 'found', url: `http://127.0.0.1:${port}/v1`, flavour, models: ['m'] })
  return { discovery, pass, serve, sights, looks, told, refuse: (yes: boolean) => void (refuses = yes) }
}

test('a server that appears is taken up, and let go once it is gone for good', async () => {
  const { discovery, pass, serve, sights, told } = start([8000])
  await discovery.look()
  discovery.watch()
  await pass(6_000)
  expect(told).toEqual([])
  serve(8000)
  await pass(3_000)
  expect(told).toEqual(['+vllm - =vllm'])
  sights.delete(8000)
  await pass(goneAfterMs / 2)
  expect(discovery.servers).toHaveLength(1)
  await pass(goneAfterMs)
  expect(told.slice(1)).toEqual(['+ -vllm ='])
})

test('a server that restarts stays', async () => {
  const { discovery, pass, serve, sights, told } = start([8000])
  serve(8000)
  await discovery.look()
  discovery.watch()
  sights.delete(8000)
  await pass(goneAfterMs - 3_000)
  serve(8000)
  await pass(3_000)
  sights.delete(8000)
  await pass(goneAfterMs - 3_000)
  expect(told).toEqual([])
})

test('two of a kind are told apart by their ports, and keep their names', async () => {
  const { discovery, pass, serve, told } = start([8000, 8080, 5000])
  serve(8080)
  await discovery.look()
  expect(discovery.servers.map(({ name }) => name)).toEqual(['vllm'])
  discovery.watch()
  serve(8000)
  serve(5000, 'unknown')
  await pass(3_000)
  expect(told).toEqual(['+vllm-8000,local-5000 - =vllm-8000,vllm,local-5000'])
})

test('a server in use that answers is not asked again', async () => {
  const { discovery, pass, serve, looks } = start([8000], (name) => name === 'vllm')
  serve(8000)
  await discovery.look()
  discovery.watch()
  await pass(60_000)
  expect(looks).toEqual([8000])
})

test("somebody else's server is asked less and less often, one that loads as often as ever", async () => {
  const strange = start([8000])
  strange.sights.set(8000, { kind: 'other' })
  await strange.discovery.look()
  strange.discovery.watch()
  await strange.pass(3_600_000)
  expect(strange.looks.length).toBeLessThan(25)
  const loading = start([8000])
  loading.sights.set(8000, { kind: 'loading' })
  await loading.discovery.look()
  loading.discovery.watch()
  await loading.pass(30_000)
  expect(loading.looks).toHaveLength(11)
})

test('a change that is refused is tried again', async () => {
  const { discovery, pass, serve, told, refuse } = start([8000])
  await discovery.look()
  discovery.watch()
  refuse(true)
  serve(8000)
  await pass(3_000)
  expect(discovery.servers).toEqual([])
  refuse(false)
  await pass(3_000)
  expect(told).toEqual(['+vllm - =vllm'])
})

test('one that wants a key is told of', async () => {
  const { discovery, sights } = start([8000])
  sights.set(8000, { kind: 'locked', url: 'http://127.0.0.1:8000/v1', title: 'vLLM' })
  await discovery.look()
  expect(discovery.servers).toEqual([])
  expect(discovery.locked).toEqual([{ url: 'http://127.0.0.1:8000/v1', title: 'vLLM' }])
})
