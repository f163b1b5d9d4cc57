import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { defineVerb, UsageError } from '../arguments.ts'
import { backUp, printChange } from '../edit/change.ts'
import { mergeSettings, printSettings, undo } from '../edit/settings.ts'
import { Refusal } from '../terminal/input.ts'
import { wrapWords } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Client, SettingsFile, Target } from './clients/client.ts'
import { type ByHand, byHand } from './clients/generic.ts'
import { clients, findClient } from './clients/registry.ts'
import { keepRecord, readRecord } from './record.ts'
import { findTarget } from './target.ts'

const known = [...clients, ...byHand]
const names = known.map(({ name }) => name)

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
    context: { type: 'count', value: 'N', help: "the model's context in tokens (default: what its server says)" },
    config: { type: 'text', value: 'FILE', help: 'config file (default: dragoman.yaml)' },
    write: { type: 'switch', help: 'write the settings to your own file of that client, after a backup' },
    project: { type: 'switch', help: 'the file for this folder instead of your own, without a key in it' },
    remove: { type: 'switch', help: 'take out again what --write wrote' },
    json: { type: 'switch', help: 'print the result as JSON' },
  },
  details: [`CLIENT is one of ${names.join(', ')}.`],
  examples: [
    ['dragoman connect opencode', 'shows what to put where'],
    ['dragoman connect opencode --write', 'writes it to your own settings of OpenCode, after a backup'],
    ['dragoman connect opencode --remove', 'takes it out again'],
  ],
  async run({ write = false, project = false, remove = false, json = false, ...said }, [name], terminal) {
    const client = findClient(name, known)
    if ('lines' in client) {
      if (write || project || remove) throw new UsageError(`${client.title} is set up by hand: leave out the flag.`)
      const { shown, remarks } = await findTarget(said, terminal, client)
      terminal.write(printByHand(client, shown, remarks, json, terminal))
      return 0
    }
    if (remove) {
      if (write) throw new UsageError('--write and --remove: choose one.')
      terminal.write(printAnswer(removeSettings(client, project, terminal), json, terminal))
      return 0
    }
    const { target, shown, remarks, assumed } = await findTarget(said, terminal, client)
    const plans = planFor(client, target, project)
    const [main, ...others] = plans.map((file, at) => {
      const text = printSettings(planFor(client, shown, project)[at] ?? file)
      const path = placeOf(file, terminal)
      return { path, text, ...(write ? writeSettings(client, file, path, text, terminal) : {}) }
    })
    if (main === undefined) return 0
    const keyNote = project && target.isSecret ? aboutKey(client, others[0]?.path) : []
    const hints = [
      ...remarks,
      ...(assumed === undefined ? [] : [assumed]),
      ...keyNote,
      ...client.hints(
        shown,
        [main, ...others].map(({ path }) => path),
      ),
    ]
    terminal.write(printAnswer({ client, files: [main, ...others], hints }, json, terminal))
    return 0
  },
})

/** The files to write, the one for the client's settings first. A key that is secret has no place in a project. */
function planFor(client: Client, target: Target, project: boolean): readonly SettingsFile[] {
  if (!project) return [client.settings(target)]
  if (client.project === undefined) {
    throw new UsageError(`${client.title} keeps its settings in your own files only: leave out --project.`)
  }
  const { reference, settings } = client.project
  if (!target.isSecret) return [settings(target)]
  const { key: _, ...keyless } = target
  if (reference !== undefined) return [settings({ ...target, key: reference })]
  return [settings(keyless), client.settings(target)]
}

function aboutKey({ title, project }: Client, ownPath: string | undefined): readonly string[] {
  return project?.reference === undefined
    ? [`This file can't refer to a variable, so the key is in ${ownPath} alone, which only you can read.`]
    : [
        `The key isn't in this file: ${title} takes it from the variable DRAGOMAN_KEY. Set it before you start ${title}.`,
      ]
}

function placeOf({ place, path, orElse = [] }: SettingsFile, { surroundings }: Terminal): string {
  const { environment, homeDirectory, workingDirectory, readFile } = surroundings
  const config = environment['XDG_CONFIG_HOME'] ?? ''
  const folders = {
    home: homeDirectory,
    here: workingDirectory,
    config: isAbsolute(config) ? config : join(homeDirectory, '.config'),
  }
  const paths = [path, ...orElse].map((one) => join(folders[place], one))
  return paths.find((one) => readFile(one) !== undefined) ?? paths[0] ?? ''
}

/** What became of a file. */
interface Outcome {
  /** Lines with `-` and `+` before them; none: nothing was to be done. */
  readonly change: readonly string[]
  /** Where the file as it was has gone, when there was one. */
  readonly backup?: string
  readonly removed?: boolean
}

function writeSettings(
  client: Client,
  file: SettingsFile,
  path: string,
  text: string,
  { surroundings }: Terminal,
): Outcome {
  const before = surroundings.readFile(path)
  const after = mergeOrExplain(file, path, text, before ?? '')
  if (after === before) return { change: [] }
  const { format, value, frame } = file
  const written = { ...(before === undefined ? frame : {}), ...value }
  keepRecord(surroundings, [
    ...readRecord(surroundings),
    {
      client: client.name,
      shared: file.place === 'here',
      path,
      format,
      ...(before !== undefined && { before }),
      after,
      value: written,
    },
  ])
  const backup = before === undefined ? undefined : backUp(path, before)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, after)
  // The user's own files hold the key, those of a project are shared.
  if (file.place !== 'here') chmodSync(path, 0o600)
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

/** Undoes what was written for a client: in the user's own files and in this folder, or in this folder alone. */
function removeSettings(client: Client, project: boolean, { surroundings }: Terminal): Answer {
  const changes = readRecord(surroundings)
  const own = changes.filter(
    (one) =>
      one.client === client.name &&
      (one.shared ? dirname(one.path).startsWith(surroundings.workingDirectory) : !project),
  )
  const files = [...new Set(own.map(({ path }) => path))].flatMap((path): readonly FileAnswer[] => {
    const before = surroundings.readFile(path)
    if (before === undefined) return []
    const after = own
      .filter((one) => one.path === path)
      .reduceRight<string | undefined>((text, change) => undoOrExplain(change, text ?? ''), before)
    const isOurs = own.findLast((one) => one.path === path)?.after === before
    const backup = isOurs ? undefined : backUp(path, before)
    if (after === undefined) rmSync(path)
    else writeFileSync(path, after)
    const change = printChange(before, after ?? '')
    return [{ path, text: '', change, ...(backup !== undefined && { backup }), removed: true }]
  })
  const kept = changes.filter((one) => !own.includes(one))
  keepRecord(surroundings, kept)
  if (files.length > 0) return { client, files, hints: [] }
  throw new Refusal(
    `There is nothing that \`connect ${client.name} --write\` wrote${project ? ' in this folder' : ''}. The backups of older versions end in .bak, beside the file.`,
  )
}

function undoOrExplain(change: ReturnType<typeof readRecord>[number], text: string): string | undefined {
  try {
    return undo(change, text)
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new Refusal(
      `${change.path} is not ${change.format.toUpperCase()} that can be read, so nothing was removed. (${reason})`,
    )
  }
}

interface FileAnswer extends Partial<Outcome> {
  readonly path: string
  readonly text: string
}

interface Answer {
  readonly client: Client
  readonly files: readonly FileAnswer[]
  readonly hints: readonly string[]
}

function printAnswer({ client, files, hints }: Answer, json: boolean, { paint, interactive }: Terminal): string {
  const [main, ...others] = files
  const fit = (sentence: string) => (interactive ? wrapHint(sentence) : [sentence])
  if (json) {
    const written = (file?: FileAnswer) => file?.change && { change: file.change, backup: file.backup }
    const also = others.map((file) => ({ path: file.path, written: written(file) }))
    const answer = { client: client.name, path: main?.path, text: main?.text, hints, written: written(main) }
    return `${JSON.stringify({ ...answer, ...(also.length > 0 && { also }) }, undefined, 2)}\n`
  }
  return [
    ...files.flatMap((file) => [
      ...fit(`${client.title}: ${headingFor(file)}`).map((line) => paint('bold', line)),
      '',
      ...(file.change?.map((line) => paint(line.startsWith('-') ? 'red' : 'green', line)) ?? [file.text.trimEnd()]),
      ...(file.change?.length === 0 ? [] : ['']),
    ]),
    ...hints.flatMap((hint) => fit(hint).map((line) => paint('dim', line))),
    '',
  ].join('\n')
}

/** Sentences fit the screen; what is to be copied stays in one line. */
function wrapHint(hint: string): readonly string[] {
  return /^Run it: |: cline auth /.test(hint) ? [hint] : wrapWords(hint, '')
}

function headingFor({ path, change, backup, removed }: FileAnswer): string {
  if (change === undefined) return `put this into ${path}`
  if (change.length === 0) return `nothing to change, ${path} has these settings`
  if (removed)
    return `took the settings out of ${path}${backup === undefined ? '' : `, the file as it was is in ${backup}`}`
  return backup === undefined ? `wrote ${path}` : `changed ${path}, the old one is in ${backup}`
}

function printByHand(
  { name, title, lines }: ByHand,
  target: Target,
  remarks: readonly string[],
  json: boolean,
  { interactive }: Terminal,
): string {
  const { url, key, model } = target
  const hints = [...remarks, ...lines(target)]
  if (json) return `${JSON.stringify({ client: name, url, key, model, hints }, undefined, 2)}\n`
  const settings = [`  Base URL  ${url}`, `  API key   ${key}`, `  Model     ${model}`]
  return [`${title}: fill these in`, '', ...settings, '', ...(interactive ? hints.flatMap(wrapHint) : hints), ''].join(
    '\n',
  )
}
