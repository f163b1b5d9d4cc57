import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineVerb, UsageError } from '../arguments.ts'
import type { Client, Launch } from '../connect/clients/client.ts'
import { byHand } from '../connect/clients/generic.ts'
import { clients, findClient } from '../connect/clients/registry.ts'
import { findTarget } from '../connect/target.ts'
import { Refusal } from '../terminal/input.ts'
import { wrapWords } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { borrowGateway } from './gateway.ts'
import { findProgram, runInPlace } from './program.ts'

const names = clients.flatMap(({ name, launch }) => (launch === undefined ? [] : [name]))

export const launch = defineVerb({
  name: 'launch',
  summary: 'start an agent on your models, without changing its settings',
  operands: 'AGENT',
  passedOn: '-- ARGS',
  maxOperands: Number.POSITIVE_INFINITY,
  words: names,
  flags: {
    model: { type: 'text', value: 'NAME', help: 'model to use (default: the first one the gateway serves)' },
    upstream: { type: 'text', value: 'URL', help: 'URL of your model server (default: from your config, or found)' },
    url: { type: 'text', value: 'URL', help: 'URL of a gateway that is running (default: from your config)' },
    key: { type: 'text', value: 'KEY', help: 'API key for that gateway (default: from your config)' },
    config: { type: 'text', value: 'FILE', help: 'config file (default: dragoman.yaml)' },
    rehearsal: { type: 'switch', help: 'use a scripted stand-in if there is no model server' },
    log: { type: 'text', value: 'FILE', help: "append the gateway's log to this file" },
  },
  details: [
    `AGENT is one of ${names.join(', ')}. Everything after -- goes to the agent as it is.`,
    'If no gateway is running, one is started for the agent and stopped when the agent ends. Your settings files stay as they are: the agent gets its settings from variables, flags and a temporary folder.',
    'openai and anthropic set the variables of those SDKs: name your own command after --.',
  ],
  examples: [
    ['dragoman launch claude-code', 'starts Claude Code on your first model'],
    ['dragoman launch codex -- exec "Fix the tests"', 'passes arguments on to Codex'],
    ['dragoman launch openai -- node app.js', 'runs your program with the variables of the OpenAI SDK'],
  ],
  async run({ model, ...options }, [name, ...args], terminal) {
    const client = findClient(name, [...clients, ...byHand])
    if ('lines' in client) {
      throw new UsageError(
        `${client.title} is set up by hand. Run \`dragoman connect ${client.name}\` for what to fill in.`,
      )
    }
    const recipe = recipeOf(client)
    const { program, words } = findCommand(client, recipe, args, terminal)
    const gateway = await borrowGateway({ ...options, keyless: recipe.keyless === true }, terminal)
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-launch-'))
    try {
      const { target, remarks } = await findTarget(
        { url: gateway.url, key: gateway.key, ...(model && { model }) },
        terminal,
        client,
      )
      const start = recipe.start(target, (file, text) => {
        const path = join(folder, file)
        writeFileSync(path, text, { mode: 0o600 })
        return path
      })
      const told = [
        ...gateway.remarks,
        ...remarks,
        `Starting ${recipe.program === undefined ? args[0] : client.title} with ${target.model}.`,
      ]
      const lines = terminal.interactive ? told.flatMap((sentence) => wrapWords(sentence, '')) : told
      for (const line of lines) terminal.complain(`${terminal.paint('dim', line)}\n`)
      return await runInPlace({
        path: program,
        args: [...(start.args ?? []), ...(words.length > 0 ? words : (start.standard ?? []))],
        environment: { ...terminal.surroundings.environment, ...start.environment },
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await gateway.close()
    }
  },
})

function recipeOf({ name, title, launch: recipe }: Client): Launch {
  if (recipe !== undefined) return recipe
  throw new UsageError(
    `${title} runs inside your editor, so there is nothing to start. Run \`dragoman connect ${name}\` for its settings.`,
  )
}

/** The program and the user's words for it. */
function findCommand(
  { name, title }: Client,
  { program, install }: Launch,
  args: readonly string[],
  terminal: Terminal,
) {
  if (program !== undefined) {
    const path = findProgram(program, terminal.surroundings)
    if (path !== undefined) return { program: path, words: args }
    throw new Refusal(`${title} isn't installed: there is no \`${program}\` on your PATH. ${install ?? ''}`)
  }
  const [own, ...words] = args
  if (own === undefined) {
    throw new UsageError(`Which program? Name it after --, as in \`dragoman launch ${name} -- node app.js\`.`)
  }
  const path = findProgram(own, terminal.surroundings)
  if (path === undefined) throw new Refusal(`There is no program \`${own}\` on your PATH.`)
  return { program: path, words }
}
