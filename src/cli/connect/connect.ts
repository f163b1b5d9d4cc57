import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineVerb } from '../arguments.ts'
import { Refusal } from '../terminal/input.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { backUp } from './backup.ts'
import { printChange } from './change.ts'
import type { Client, SettingsFile } from './clients/client.ts'
import { findClient } from './clients/find.ts'
import { clients } from './clients/registry.ts'
import { mergeSettings, printSettings } from './merge.ts'
import { findTarget } from './target.ts'

const names = clients.map(({ name }) => name)

export const connect = defineVerb({
  name: 'connect',
  summary: 'show or write the settings that connect a client',
  operands: 'CLIENT',
  maxOperands: 1,
  words: names,
  flags: {
    url: { type: 'text', value: 'URL', help: 'URL of the gateway (default: from your config)' },
    model: { type: 'text', value: 'NAME', help: 'model to use (default: the first one the gateway serves)' },
    key: { type: 'text', value: 'KEY', help: 'API key for the gateway (default: from your config)' },
    config: { type: 'text', value: 'FILE', help: 'config file (default: dragoman.yaml)' },
    write: { type: 'switch', help: "write the settings to the client's file, after a backup" },
    json: { type: 'switch', help: 'print the result as JSON' },
  },
  details: [`CLIENT is one of ${names.join(', ')}.`],
  examples: [
    ['dragoman connect opencode', 'shows what to put where'],
    ['dragoman connect opencode --write', "writes it to the client's file, after a backup"],
  ],
  async run({ write = false, json = false, ...said }, [name], terminal) {
    const client = findClient(name, clients)
    const { target, shown, remarks } = await findTarget(said, terminal)
    const path = placeOf(client.settings(target), terminal)
    const text = printSettings(client.settings(shown))
    const hints = [...remarks, ...client.hints(shown)]
    const written = write ? writeSettings(client.settings(target), path, text, terminal) : undefined
    const answer = { client, path, text, hints, written }
    terminal.write(json ? printJson(answer) : printAnswer(answer, terminal))
    return 0
  },
})

function placeOf({ place, path }: SettingsFile, { surroundings }: Terminal): string {
  return join(place === 'home' ? surroundings.homeDirectory : surroundings.workingDirectory, path)
}

interface Written {
  /** Lines with `-` and `+` before them; none: the settings were there. */
  readonly change: readonly string[]
  /** Where the file as it was has gone, when there was one. */
  readonly backup?: string
}

function writeSettings(file: SettingsFile, path: string, text: string, { surroundings }: Terminal): Written {
  const before = surroundings.readFile(path)
  const after = mergeOrExplain(file, path, text, before ?? '')
  if (after === before) return { change: [] }
  mkdirSync(dirname(path), { recursive: true })
  const backup = before === undefined ? undefined : backUp(path, before)
  // It holds a key.
  writeFileSync(path, after, { mode: 0o600 })
  return { change: printChange(before ?? '', after), ...(backup !== undefined && { backup }) }
}

/** `text` is what the settings look like without the key. */
function mergeOrExplain(file: SettingsFile, path: string, text: string, before: string): string {
  try {
    return mergeSettings(file, before)
  } catch (error) {
    const format = file.format.toUpperCase()
    const [reason] = (error as Error).message.split('\n')
    throw new Refusal(
      `${path} is not ${format} that can be read, so nothing was written. (${reason})\n` +
        `Add this to it yourself:\n\n${text}`,
    )
  }
}

interface Answer {
  readonly client: Client
  readonly path: string
  readonly text: string
  readonly hints: readonly string[]
  readonly written: Written | undefined
}

function printJson({ client, path, text, hints, written }: Answer): string {
  return `${JSON.stringify({ client: client.name, path, text, hints, ...(written && { written }) }, undefined, 2)}\n`
}

function printAnswer({ client, path, text, hints, written }: Answer, { paint }: Terminal): string {
  return [
    paint('bold', `${client.title}: ${headingFor(path, written)}`),
    '',
    ...(written === undefined
      ? [text.trimEnd()]
      : written.change.map((line) => paint(line.startsWith('-') ? 'red' : 'green', line))),
    ...(written === undefined || written.change.length > 0 ? [''] : []),
    ...hints.map((hint) => paint('dim', hint)),
    '',
  ].join('\n')
}

function headingFor(path: string, written: Written | undefined): string {
  if (written === undefined) return `put this into ${path}`
  if (written.change.length === 0) return `nothing to change, ${path} has these settings`
  return written.backup === undefined ? `wrote ${path}` : `changed ${path}, the old one is in ${written.backup}`
}
