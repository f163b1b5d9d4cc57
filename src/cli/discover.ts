import type { Config } from '../config/load.ts'
import { type FoundService, readNamedElsewhere } from '../config/sources/found.ts'
import { type Change, createDiscovery, type Discovery } from '../discovery/discovery.ts'
import { lookAt, lookAtOneOf } from '../discovery/look.ts'
import { canonical, ownPortOf, type Place, placesOn, usualPorts } from '../discovery/places.ts'
import type { Service } from './compose/service.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Something about a model server that is not used, and what to do. */
export interface Remark {
  readonly says: string
  readonly fix: string
}

/** The model servers that were found on this machine. */
export interface Surroundings {
  /** The services to use, as of now. */
  readonly found: readonly FoundService[]
  /** What a person should know about them, in sentences. */
  readonly remarks: readonly Remark[]
  /** Goes on looking for a gateway that runs, and calls back with what came or went. */
  follow(service: Service, takeUp: () => void, terminal: Terminal): void
  close(): void
}

interface Looking {
  /** For each question. */
  readonly withinMs?: number
  /** Where this gateway listens: it is no model server of its own. */
  readonly ownOrigin?: string
}

/** Looks for model servers, where the configuration leaves that open; undefined where it does not. */
export async function discover(
  { discover: where, settings }: Config,
  terminal: Terminal,
  { withinMs, ownOrigin }: Looking = {},
): Promise<Surroundings | undefined> {
  if (where === 'off') return undefined
  const { openai, ollamaUrl } = readNamedElsewhere(terminal.surroundings)
  const remarks: Remark[] = []
  const named = openai === undefined ? undefined : await checkNamed(openai, settings.listen.port, remarks)
  const taken = new Set(named === undefined ? [] : [canonical(named.url)])
  let ownPort = ownOrigin === undefined ? undefined : ownPortOf(ownOrigin)
  let onChange: (change: Change) => void = () => undefined
  let isUp: (name: string) => boolean = () => false

  const all: readonly (readonly Place[])[] = [
    ...(ollamaUrl === undefined ? [] : [[{ url: ollamaUrl }]]),
    ...placesOn(where === 'on' ? usualPorts : where),
  ]
  const discovery = createDiscovery({
    places: () => distinct(all).filter(([place]) => !isOwn(place, ownPort) && !taken.has(canonical(place?.url ?? ''))),
    isUp: (name) => isUp(name),
    lookAt: (places) => lookAtOneOf(places, withinMs),
    onChange: (_servers, change) => onChange(change),
  })
  await discovery.look()
  remarks.push(...discovery.locked.map(sayLocked))

  return {
    get found() {
      return [...(named === undefined ? [] : [named]), ...discovery.servers]
    },
    remarks,
    follow(service, takeUp, { complain, paint }) {
      ownPort = ownPortOf(service.origin)
      isUp = (name) => service.seen.some((card) => card.name === name && card.state === 'up')
      onChange = (change) => {
        takeUp()
        complain(`${paint('green', '●')} ${sayChange(change, discovery)}\n`)
      }
      discovery.watch()
    },
    close: discovery.close,
  }
}

/** Two ways to the same place are one. */
function distinct(places: readonly (readonly Place[])[]): readonly (readonly Place[])[] {
  const seen = new Set<string>()
  return places.filter(([first]) => {
    const address = canonical(first?.url ?? '')
    return seen.has(address) ? false : seen.add(address)
  })
}

function isOwn(place: Place | undefined, ownPort: number | undefined): boolean {
  return place !== undefined && ownPort !== undefined && ownPortOf(place.url) === ownPort
}

/** A variable meant for the clients of a gateway names the gateway itself: it cannot be its own model server. */
async function checkNamed(named: FoundService, ownPort: number, remarks: Remark[]): Promise<FoundService | undefined> {
  const port = ownPortOf(named.url)
  if (port === undefined) return named
  const isGateway = port === ownPort || (await lookAt(named)).kind === 'gateway'
  if (!isGateway) return named
  remarks.push({
    says: `OPENAI_BASE_URL points at Dragoman (${named.url}), so I'm not using it as a model server.`,
    fix: 'To use another server, start with --upstream URL.',
  })
  return undefined
}

function sayLocked({ url, title }: { readonly url: string; readonly title?: string }): Remark {
  const who = title === undefined ? `A server at ${url}` : `${title} at ${url}`
  return {
    says: `${who} wants an API key.`,
    fix: `To use it, put the key in DRAGOMAN_UPSTREAM_KEY and start with --upstream ${url}`,
  }
}

function sayChange({ came, went }: Change, { servers }: Discovery): string {
  const sentences = [
    ...came.map(({ title, url, models }) => `Found ${title ?? 'a model server'} at ${url}: ${listOf(models)}.`),
    ...went.map(
      ({ title, url }) => `${title ?? 'The model server'} at ${url} has been gone for a minute, so I've dropped it.`,
    ),
    ...(servers.length === 0 ? ['Serving "rehearsal" again until another one shows up.'] : []),
  ]
  return sentences.join('\n  ')
}

const shownModels = 5

function listOf(models: readonly string[]): string {
  if (models.length === 0) return 'no models yet'
  const shown = models.slice(0, shownModels).map(withoutControls).join(', ')
  return models.length > shownModels ? `${shown} and ${models.length - shownModels} more` : shown
}

/** Names come from services: none of their control characters may draw on the terminal. */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')
}
