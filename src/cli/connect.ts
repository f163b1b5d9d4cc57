import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { printAddress } from '../config/address.ts'
import { type Config, loadConfig } from '../config/load.ts'
import { nearest } from '../config/nearest.ts'
import { defineVerb, UsageError } from './arguments.ts'
import { dialectNames, flavourNames } from './compose.ts'
import { type Client, clients, type SettingsFile, type Target } from './connect-clients.ts'
import { mergeSettings, printSettings } from './connect-merge.ts'
import { Refusal } from './input.ts'
import type { Terminal } from './terminal.ts'

const names = clients.map(({ name }) => name)

export const connect = defineVerb({
  name: 'connect',
  summary: 'the settings of a client, printed or written',
  operands: 'CLIENT',
  maxOperands: 1,
  flags: {
    url: { type: 'text', value: 'URL', help: 'where the gateway is, with /v1; as configured unless said otherwise' },
    model: { type: 'text', value: 'NAME', help: 'the model to use; the first one unless said otherwise' },
    key: { type: 'text', value: 'KEY', help: 'one of the keys of the gateway' },
    config: { type: 'text', value: 'FILE', help: 'the configuration, instead of the one that would be found' },
    write: { type: 'switch', help: 'write the settings into the file of the client; what else stands there stays' },
    json: { type: 'switch', help: 'the answer as JSON' },
  },
  details: [`CLIENT is one of ${names.join(', ')}.`],
  async run({ write = false, json = false, config, ...said }, [name], terminal) {
    const client = findClient(name)
    const target = await findTarget(said, config, write, terminal)
    const file = client.settings(target)
    const path = placeOf(file, terminal)
    const hints = client.hints(target)
    if (write) writeSettings(file, path, terminal)
    if (json)
      terminal.write(
        `${JSON.stringify({ client: client.name, path, text: printSettings(file), hints }, undefined, 2)}\n`,
      )
    else terminal.write(printAnswer({ client, path, text: printSettings(file), hints, written: write }, terminal))
    return 0
  },
})

function findClient(name: string | undefined): Client {
  const client = clients.find((one) => one.name === name)
  if (client !== undefined) return client
  if (name === undefined) throw new UsageError(`connect needs to know the client: ${names.join(', ')}.`)
  const meant = nearest(name, names)
  const remedy = meant === undefined ? `Known: ${names.join(', ')}.` : `Did you mean "${meant}"?`
  throw new UsageError(`connect does not know "${name}". ${remedy}`)
}

const noKeyNeeded = 'dragoman'
const keyToFillIn = 'YOUR_KEY'

/** What was said on the command line, and the rest from the configuration and from the gateway, if it runs. */
async function findTarget(
  { url, model, key }: { readonly [Name in keyof Target]?: string },
  path: string | undefined,
  write: boolean,
  terminal: Terminal,
): Promise<Target> {
  if (url !== undefined && model !== undefined && key !== undefined) return { url, model, key }
  const { settings }: Config = loadConfig({
    flags: { config: path },
    dialects: dialectNames,
    flavours: flavourNames,
    surroundings: terminal.surroundings,
  })
  const place = url ?? `http://${printAddress(settings.listen)}/v1`
  // A key is shown to nobody who looks over a shoulder, but what is written has to work.
  const known = settings.keys[0] ?? noKeyNeeded
  const shown = settings.keys.length === 0 || write ? known : keyToFillIn
  return {
    url: place,
    model: model ?? settings.models[0]?.name ?? (await askForModel(place, key ?? known)),
    key: key ?? shown,
  }
}

const askWithinMs = 2000

async function askForModel(url: string, key: string): Promise<string> {
  try {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${url}/models`, { headers, signal: AbortSignal.timeout(askWithinMs) })
    const { data } = (await response.json()) as { data: readonly { id: string }[] }
    const id = data[0]?.id
    if (id !== undefined) return id
  } catch {
    // Not running, or not a gateway: told below.
  }
  throw new Refusal(`No model is configured and ${url} lists none. Start the gateway, or say which: --model NAME`)
}

function placeOf({ place, path }: SettingsFile, { surroundings }: Terminal): string {
  return join(place === 'home' ? surroundings.homeDirectory : surroundings.workingDirectory, path)
}

function writeSettings(file: SettingsFile, path: string, { surroundings }: Terminal): void {
  const text = mergeSettings(file, surroundings.readFile(path) ?? '')
  mkdirSync(dirname(path), { recursive: true })
  // It holds a key.
  writeFileSync(path, text, { mode: 0o600 })
}

interface Connection {
  readonly client: Client
  readonly path: string
  readonly text: string
  readonly hints: readonly string[]
  readonly written: boolean
}

function printAnswer({ client, path, text, hints, written }: Connection, { paint }: Terminal): string {
  const heading = written ? `${client.title}: written to ${path}` : `${client.title}: ${path}`
  return [paint('bold', heading), '', text.trimEnd(), '', ...hints.map((hint) => paint('dim', hint)), ''].join('\n')
}
