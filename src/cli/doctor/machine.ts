import { createServer } from 'node:net'
import type { Config } from '../../config/load.ts'
import { type Address, isLoopback, printAddress } from '../../config/values/address.ts'
import type { Finding } from '../../doctor/finding.ts'
import { complainOfNode } from '../node/version.ts'
import { readManifest } from '../package.ts'
import { isDragoman } from '../running.ts'
import type { Terminal } from '../terminal/terminal.ts'

export type MachineCheck = 'node' | 'config' | 'port' | 'clock' | 'proxy' | 'tools' | 'servers'
type MachineFinding = Finding<MachineCheck>

export function examineNode(version = process.versions.node): MachineFinding {
  const complaint = complainOfNode(version, readManifest().engines.node)
  if (complaint === undefined) return { check: 'node', verdict: 'good', says: `Node ${version} is new enough.` }
  return { check: 'node', verdict: 'bad', says: `Node ${version} is too old.`, fix: complaint }
}

export function examineConfig({ file, settings, discover }: Config): MachineFinding {
  const found =
    discover === 'off' ? 'the settings come from flags and environment' : 'servers are looked for on this machine'
  const says = file === undefined ? `No config file: ${found}.` : `${file.path} is valid.`
  const models = settings.models.length > 0 && file !== undefined ? ` It names ${settings.models.length} models.` : ''
  return { check: 'config', verdict: 'good', says: `${says}${settings.models.length > 1 ? models : ''}` }
}

/** Whether the gateway could start now, or has. */
export async function examinePort(listen: Address, running?: string): Promise<MachineFinding> {
  if (running !== undefined) return { check: 'port', verdict: 'good', says: `Dragoman is running at ${running}.` }
  const address = printAddress(listen)
  if (listen.port === 0) return { check: 'port', verdict: 'good', says: 'Any free port is used.' }
  const code = await tryToListen(listen)
  if (code === undefined) return { check: 'port', verdict: 'good', says: `${address} is free.` }
  if (code !== 'EADDRINUSE') {
    const fix = 'Choose another address with --listen, or `listen` in the config file.'
    return { check: 'port', verdict: 'bad', says: `Dragoman can't listen on ${address} (${code}).`, fix }
  }
  if (await isDragoman(`http://${address}`))
    return { check: 'port', verdict: 'good', says: `Dragoman is running on ${address}.` }
  return {
    check: 'port',
    verdict: 'warning',
    says: `Another program has ${address}, so Dragoman would take the next free port.`,
    fix: 'Stop that program, or choose a port of your own with --port.',
  }
}

function tryToListen({ host, port }: Address): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

const lateMs = 300_000

/** By the word of the servers on other machines; the clock of this one is all there is elsewhere. */
export async function examineClock(urls: readonly string[], now = Date.now): Promise<MachineFinding> {
  const dates = await Promise.all(urls.filter(isElsewhere).map(dateOf))
  const apart = dates.flatMap((date) => (date === undefined ? [] : now() - date))
  const worst = apart.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one), 0)
  const shown = new Date(now()).toISOString().replace(/\.\d+Z$/, 'Z')
  if (Math.abs(worst) <= lateMs) return { check: 'clock', verdict: 'good', says: `The clock says ${shown}.` }
  const minutes = Math.round(Math.abs(worst) / 60_000)
  return {
    check: 'clock',
    verdict: 'warning',
    says: `The clock is ${minutes} minutes ${worst > 0 ? 'ahead' : 'behind'}, by what a model server says.`,
    fix: 'Set the clock of this machine: keys and certificates fail when it is wrong.',
  }
}

function isElsewhere(url: string): boolean {
  return URL.canParse(url) && !isLoopback(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'))
}

async function dateOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(2_000) })
    const date = Date.parse(response.headers.get('date') ?? '')
    return Number.isNaN(date) ? undefined : date
  } catch {
    return undefined
  }
}

const mostLooked = 500

/** What is read of an exchange as the inspector tells it. */
interface Seen {
  readonly id: string
  readonly client: string
  readonly model?: string
  readonly notes: readonly string[]
  readonly told: readonly { readonly kind: string; readonly detail?: string }[]
}

/** What a running gateway has seen of clients whose tools take more of a context than they leave; nothing where it does not tell. */
export async function examineTools(origin: string): Promise<readonly MachineFinding[]> {
  const page = await ask<{ readonly exchanges: readonly Omit<Seen, 'told'>[] }>(
    `${origin}/inspector/api/exchanges?limit=${mostLooked}`,
  )
  const large = page?.exchanges.find(({ notes }) => notes.includes('tools_large'))
  if (large === undefined) return []
  const { id, client, model = 'its model' } = large
  const exchange = await ask<Seen>(`${origin}/inspector/api/exchanges/${id}`)
  const size = exchange?.told.find(({ kind }) => kind === 'tools_large')?.detail ?? 'more than half of the context'
  return [
    {
      check: 'tools',
      verdict: 'warning',
      says: `The tools of ${client} take ${size} of ${model}.`,
      fix: 'Set `listing: short` or `tools_budget` for this model, or switch off tools in the client that you do not need.',
    },
  ]
}

async function ask<T>(url: string): Promise<T | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return response.ok ? ((await response.json()) as T) : undefined
  } catch {
    return undefined
  }
}

const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']

/** Which variables lead requests to model servers of other machines through a proxy. */
export function examineProxy({ surroundings }: Terminal, urls: readonly string[]): MachineFinding {
  const set = proxies.filter((name) => surroundings.environment[name]?.trim())
  const isUsed = urls.some(isElsewhere)
  const says =
    set.length === 0
      ? 'No proxy is set.'
      : `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set. ${isUsed ? 'Model servers on other machines are reached through it.' : "Your servers are local, so it doesn't matter."}`
  return { check: 'proxy', verdict: 'good', says }
}
