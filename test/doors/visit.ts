import type { Door, DoorContext, Exchange, Reply, Route, Store } from '../../src/doors/door.ts'
import type { Event } from '../../src/protocol/event.ts'
import { createRandomId } from '../../src/random-id.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'
import type { UpstreamEvent, UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { context, createScripted, type Script, says, turnsOver } from '../turn/scripted.ts'

/** A store that forgets nothing. */
export function createTestStore(): Store & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    get: async (key) => kept.get(key),
    async set(key, text) {
      kept.set(key, text)
    },
    async delete(key) {
      kept.delete(key)
    },
  }
}

/** What the server would hand to a door; ids count. */
export function createDoorContext(given: Partial<DoorContext> = {}): DoorContext {
  let ids = 0
  return {
    rest: '',
    header: () => undefined,
    query: () => undefined,
    body: async () => undefined,
    createId: (prefix) => `${prefix}${++ids}`,
    now: () => 1_700_000_000_000,
    started: 1_700_000_000_000,
    limits: { tools: 512 },
    models: async () => [],
    model: async (id) => ({ id, ownedBy: 'local', tools: 'prompt' }),
    countTokens: async () => 1,
    embed: async ({ inputs }) => ({ vectors: inputs.map(() => [0.5, -1]), promptTokens: 2 }),
    store: createTestStore(),
    ...given,
  }
}

/** A body put in at a door as the server would. Throws what the client would be told. */
export async function readAt(
  door: Door,
  path: string,
  body: unknown,
  given: Partial<DoorContext> = {},
): Promise<Exchange> {
  const route = routeAt(door, 'POST', path)
  if (!('read' in route)) throw new Error(`nothing is read at ${path}`)
  return await route.read(body, createDoorContext({ body: async () => body, ...given }))
}

/** What a door answers by itself. */
export async function answerAt(
  door: Door,
  method: Route['method'],
  path: string,
  given: Partial<DoorContext> = {},
): Promise<Reply> {
  const route = routeAt(door, method, path)
  if (!('answer' in route)) throw new Error(`nothing is answered at ${path}`)
  return await route.answer(createDoorContext(given))
}

function routeAt(door: Door, method: Route['method'], path: string): Route {
  const route = door.routes.find((one) => one.method === method && one.path === path)
  if (route === undefined) throw new Error(`${door.name} has no ${method} ${path}`)
  return route
}

/** Named, so that no test has to count. */
const usage: UpstreamEvent = { type: 'usage', promptTokens: 1, completionTokens: 1 }

/**
 * A body put in at a door, to the end of its answer: what the service was asked, and every byte of both ways to answer.
 * Throws what the client would be told.
 */
export async function put(
  door: Door,
  path: string,
  body: object,
  settings: Partial<ModelSettings> = {},
  store = createTestStore(),
): Promise<{ readonly asked: readonly UpstreamRequest[]; readonly streamed: string; readonly whole: string }> {
  const exchange = await readAt(door, path, body, { store, createId: createRandomId })
  const upstream = createScripted(exchange.requests.map((): Script => [[usage], ...says('Hello.')]))
  const turns = turnsOver(upstream, settings)
  const printer = exchange.createStream()
  const choices: Event[][] = []
  let streamed = ''
  for (const [choice, request] of exchange.requests.entries()) {
    const turn = await turns.start({ ...request, model: 'model' }, context)
    if (choice === 0) streamed = printer.open({ promptTokens: turn.promptTokens })
    const events: Event[] = []
    choices.push(events)
    for await (const batch of turn.events) {
      events.push(...batch)
      streamed += printer.push(choice, batch)
    }
  }
  return { asked: upstream.asked, streamed: streamed + (await printer.end()), whole: await exchange.printBody(choices) }
}
