import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import type { UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { mutate, validRequest } from './arbitrary.ts'
import { put } from './put.ts'
import { wire } from './wire.ts'

const runs = 2_000
const seed = 20_260_801

interface Outcome {
  readonly refused: GatewayError | undefined
  /** How many requests reached the service. */
  readonly asked: number
}

async function outcomeOf(body: object): Promise<Outcome> {
  const asked: UpstreamRequest[] = []
  try {
    await put(body, { tools: 'prompt', dialect: 'hermes' }, asked)
    return { refused: undefined, asked: asked.length }
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown
    return { refused: thrown, asked: asked.length }
  }
}

describe(`${runs} requests, as they are and with one place changed (seed ${seed})`, () => {
  const sound: { readonly body: unknown; readonly outcome: Outcome }[] = []
  const broken: { readonly body: unknown; readonly outcome: Outcome }[] = []
  const harmless: { readonly body: unknown; readonly outcome: Outcome }[] = []

  beforeAll(async () => {
    const sample = fc.sample(fc.tuple(validRequest, fc.nat(), fc.nat()), { numRuns: runs, seed })
    for (const [body, place, how] of sample) {
      sound.push({ body, outcome: await outcomeOf(body) })
      const changed = mutate(body, place, how)
      const list = wire.safeParse(changed).success ? harmless : broken
      list.push({ body: changed, outcome: await outcomeOf(changed) })
    }
  }, 60_000)

  test('the generator and its judge agree on what is sound', () => {
    expect(sound.filter(({ body }) => !wire.safeParse(body).success).map(({ body }) => body)).toEqual([])
  })

  test('every sound request is accepted', () => {
    expect(sound.filter(({ outcome }) => outcome.refused !== undefined || outcome.asked === 0)).toEqual([])
  })

  test('changes break enough requests to say something', () => {
    expect(broken.length).toBeGreaterThan(runs / 3)
  })

  test('nearly every broken request is refused before anything goes upstream, with a field named', () => {
    const passed = broken.filter(({ outcome }) => outcome.refused === undefined)
    const caught = 1 - passed.length / broken.length
    expect(broken.filter(({ outcome }) => outcome.refused !== undefined && outcome.asked > 0)).toEqual([])
    expect(broken.filter(({ outcome }) => outcome.refused?.param === null)).toEqual([])
    expect(broken.flatMap(({ outcome }) => outcome.refused?.status ?? [])).not.toContainEqual(500)
    expect(caught, `${passed.length} of ${broken.length} passed`).toBeGreaterThanOrEqual(0.95)
  })

  test('hardly any harmless change is refused', () => {
    const refused = harmless.filter(({ outcome }) => outcome.refused !== undefined)
    expect(refused.length / harmless.length, JSON.stringify(refused[0])).toBeLessThan(0.02)
  })
})
