import { join } from 'node:path'
import type { Config, LoadOptions } from '../../config/load.ts'
import { reviewReload } from '../../config/sources/reload.ts'
import { createToken } from '../../server/inspector/token.ts'
import { originOf, type Service, type SharedTraces } from '../compose/service.ts'
import { checkStore } from '../compose/store.ts'
import { inspectorAt } from '../compose/traces.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { createDesk } from './desk.ts'
import type { Briefing, Reason, SupervisorDuties } from './duties.ts'
import { createFigures } from './figures.ts'
import { openFront } from './front.ts'
import { type Hand, hire } from './hand.ts'
import { createPatience } from './patience.ts'
import { createSharedFolder } from './shared-folder.ts'

interface FleetOptions {
  readonly config: Config
  readonly loading: LoadOptions
  readonly terminal: Terminal
  readonly port: number
}

/** A place for one worker at a time. */
interface Slot {
  readonly number: number
  hand: Hand | undefined
  readonly patience: ReturnType<typeof createPatience>
  callOff: () => void
}

const lookEveryMs = 5000

/**
 * Several workers that are one gateway. The supervisor accepts the connections, so that none is refused while workers come
 * and go, and hands each to a worker; it reads none of them.
 */
export async function startFleet({ config, loading, terminal, port }: FleetOptions): Promise<Service> {
  checkStore(config)
  const desk = createDesk(Date.now)
  const figures = createFigures(() => [...handsOf(slots), ...retiring])
  const retiring = new Set<Hand>()
  let current = config
  let slots: Slot[] = []
  let seen: Service['seen'] = []
  let turn = 0
  let closing: Promise<void> | undefined
  const say = (sentence: string): void => terminal.complain(`${sentence}\n`)

  const front = await openFront(config.settings.listen.host, port, nextHand)
  const { address } = front
  const folder = createSharedFolder()
  const file = folder && join(folder.path, 'traces.db')
  const traces: SharedTraces = { token: createToken().text, file }
  if (file === undefined && config.settings.inspector && config.settings.traces.store === 'memory') say(noFolder)

  function nextHand(): Hand | undefined {
    const hands = handsOf(slots)
    turn = (turn + 1) % Math.max(1, hands.length)
    return hands[turn]
  }

  function briefingFor(number: number): Briefing {
    const { file } = current
    const { flags = {}, found = [] } = loading
    return { number, address, flags: { ...flags }, file, found: [...found], traces }
  }

  /** Starts a worker and sees to what follows when it ends. */
  async function start(slot: Slot): Promise<Hand> {
    const { duties, clear } = desk.open()
    let hand: Hand | undefined
    const all: SupervisorDuties = {
      ...duties,
      printFigures: (own) => figures.print(hand, own),
      replaceMe: (reason) => void (hand !== undefined && replaceOne(slot, hand, reason)),
      farewell(last) {
        if (hand !== undefined) hand.figures = last
      },
    }
    hand = await hire(briefingFor(slot.number), all)
    const hired = hand
    void hired.ended.then((how) => {
      clear()
      figures.keep(hired)
      retiring.delete(hired)
      if (slot.hand === hired) mourn(slot, hired, how)
    })
    return hired
  }

  function putIn(slot: Slot, hand: Hand): void {
    slot.hand = hand
    front.release(hand)
  }

  /** A worker has ended that nobody told to. */
  function mourn(slot: Slot, { pid }: Hand, how: string): void {
    slot.hand = undefined
    if (closing !== undefined) return
    const waitMs = slot.patience.next()
    const when = waitMs === 0 ? '' : ` in ${waitMs / 1000} s`
    say(`Worker ${slot.number} (process ${pid}) ${how}. Starting another${when}.`)
    figures.restarted('died')
    later(slot, waitMs)
  }

  function later(slot: Slot, waitMs: number): void {
    const timer = setTimeout(() => void fill(slot), waitMs)
    slot.callOff = () => clearTimeout(timer)
  }

  async function fill(slot: Slot): Promise<void> {
    try {
      const hand = await start(slot)
      if (closing === undefined && slots.includes(slot)) putIn(slot, hand)
      else hand.kill()
    } catch (error) {
      if (closing !== undefined) return
      const waitMs = slot.patience.next()
      say(`Worker ${slot.number} couldn't start: ${messageOf(error)}. Trying again in ${waitMs / 1000} s.`)
      later(slot, waitMs)
    }
  }

  function retire(hand: Hand): void {
    retiring.add(hand)
    void hand.line.ask('retire').catch(() => undefined)
  }

  /** The new one serves before the old one stops taking connections. */
  async function swap(slot: Slot): Promise<void> {
    const hand = await start(slot)
    const old = slot.hand
    slot.callOff()
    putIn(slot, hand)
    if (old !== undefined) retire(old)
    if (closing !== undefined) void hand.line.ask('close')
  }

  async function replaceOne(slot: Slot, hand: Hand, reason: Reason): Promise<void> {
    if (closing !== undefined || slot.hand !== hand || asked.has(hand)) return
    asked.add(hand)
    say(`Worker ${slot.number} (process ${hand.pid}) ${reasons[reason]}. Replacing it; its requests may finish.`)
    figures.restarted(reason)
    await swap(slot).catch((error: unknown) => {
      asked.delete(hand)
      say(`Worker ${slot.number} couldn't be replaced: ${messageOf(error)}.`)
    })
  }
  /** Those that are being replaced at their own wish. */
  const asked = new WeakSet<Hand>()

  let rolling: Promise<void> | undefined
  let isOutdated = false

  /** Replaces all workers, one by one. A change in the middle of it begins anew. */
  async function roll(): Promise<void> {
    isOutdated = true
    rolling ??= (async () => {
      while (isOutdated && closing === undefined) {
        isOutdated = false
        await rollOnce()
      }
      rolling = undefined
    })()
    await rolling
  }

  async function rollOnce(): Promise<void> {
    const wanted = current.settings.workers
    for (const slot of slots.slice(wanted)) {
      slot.callOff()
      if (slot.hand !== undefined) retire(slot.hand)
    }
    slots = slots.slice(0, wanted)
    for (let number = slots.length + 1; number <= wanted; number += 1) slots.push(createSlot(number))
    for (const slot of slots) {
      if (isOutdated || closing !== undefined) return
      try {
        await swap(slot)
        figures.restarted('reload')
      } catch (error) {
        return say(`Worker ${slot.number} couldn't be replaced: ${messageOf(error)}. The old ones stay.`)
      }
    }
    say(`Replaced ${slots.length === 1 ? 'the worker' : `all ${slots.length} workers`}.`)
  }

  async function look(): Promise<void> {
    const [first] = handsOf(slots)
    if (first !== undefined) seen = await first.line.ask('seen')
    await figures.gather()
  }

  slots = Array.from({ length: config.settings.workers }, (_, index) => createSlot(index + 1))
  try {
    await Promise.all(slots.map(async (slot) => putIn(slot, await start(slot))))
  } catch (error) {
    closing = Promise.resolve()
    for (const hand of handsOf(slots)) hand.kill()
    front.close()
    folder?.remove()
    throw error
  }
  const looking = setInterval(() => void look(), lookEveryMs).unref()
  // Nobody is left behind, whatever ends the supervisor.
  process.once('exit', () => {
    for (const hand of [...handsOf(slots), ...retiring]) hand.kill()
    folder?.remove()
  })

  async function close(): Promise<void> {
    clearInterval(looking)
    for (const slot of slots) slot.callOff()
    const hands = [...handsOf(slots), ...retiring]
    for (const hand of hands) void hand.line.ask('close').catch(() => undefined)
    // Until then workers still take requests.
    const { drainDelayMs } = current.settings.timeouts
    const accepting = setTimeout(() => front.close(), drainDelayMs)
    await Promise.all(hands.map(({ ended }) => ended))
    clearTimeout(accepting)
    front.close()
    front.drop()
  }

  return {
    origin: originOf(address),
    get inspector() {
      return inspectorAt(address, current, traces.token)
    },
    get entrances() {
      return handsOf(slots)[0]?.entrances ?? []
    },
    async underWay() {
      const counts = await Promise.all([...handsOf(slots), ...retiring].map(({ line }) => line.ask('underWay')))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    full: new Promise(() => undefined),
    get seen() {
      return seen
    },
    async services() {
      const [first] = handsOf(slots)
      if (first !== undefined) seen = await first.line.ask('services', servicesWithinMs)
      return seen
    },
    replace(next, anew = false) {
      checkStore(next)
      const changes = reviewReload({ initial: config, current, next }, address)
      const isSame = next.file?.text === current.file?.text
      current = next
      if (anew || !isSame) void roll()
      else
        for (const { line, number } of handsOf(slots))
          void line.ask('takeUp', briefingFor(number)).catch(() => undefined)
      return changes
    },
    close: () => (closing ??= close()),
  }
}

const servicesWithinMs = 2000

const noFolder =
  'The inspector shows nothing: several workers keep exchanges in a temporary folder, and none can be written here.'

const reasons: Readonly<Record<Reason, string>> = {
  memory: 'is short of memory',
  signal: 'was asked to stop',
  crash: 'hit an internal error',
}

function createSlot(number: number): Slot {
  return { number, hand: undefined, patience: createPatience(Date.now), callOff: () => undefined }
}

function handsOf(slots: readonly Slot[]): readonly Hand[] {
  return slots.flatMap(({ hand }) => hand ?? [])
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
