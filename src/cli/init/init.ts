import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { stringify } from 'yaml'
import { loadConfig } from '../../config/load.ts'
import { type FoundService, toUpstreamsFile } from '../../config/sources/found.ts'
import { readServiceUrl } from '../../config/values/service-url.ts'
import { defineVerb } from '../arguments.ts'
import { vocabulary } from '../compose/vocabulary.ts'
import { discover } from '../discover.ts'
import { schemaComment } from '../package.ts'
import { Refusal } from '../terminal/input.ts'
import { createQuestions } from './ask.ts'

export const init = defineVerb({
  name: 'init',
  summary: 'write a commented config file, after a few questions',
  operands: '[FILE]',
  maxOperands: 1,
  flags: {
    yes: { type: 'switch', help: "don't ask: take the default answers" },
    discover: {
      type: 'text',
      value: 'WHERE',
      help: 'where to look for model servers: on, off, or ports like 8000,8080 (default on)',
    },
  },
  details: [
    'FILE is dragoman.yaml if you leave it out. A file that exists is never overwritten. Without a terminal to ask in, the default answers are taken.',
  ],
  examples: [
    ['dragoman init', 'asks, and writes dragoman.yaml'],
    ['dragoman init --yes', 'writes it with the servers running on this machine'],
  ],
  async run({ yes = false, discover: where }, [path = 'dragoman.yaml'], terminal) {
    const { surroundings } = terminal
    const full = resolve(surroundings.workingDirectory, path)
    if (existsSync(full)) {
      throw new Refusal(`${path} is already there. Edit it, or name another file: dragoman init other.yaml`)
    }
    // Whatever config there is elsewhere, this one is to be new.
    const bare = { ...surroundings, readFile: () => undefined }
    const loading = { flags: { discover: where }, ...vocabulary, surroundings: bare }
    const nearby = await discover(loadConfig(loading), terminal)
    nearby?.close()
    const found = nearby?.found ?? []
    const answers = yes || !terminal.asks ? withDefaults(found) : await ask(found, terminal)
    writeFileSync(full, printConfigFile(answers), { flag: 'wx' })
    terminal.write(`Wrote ${path}. Start with \`dragoman\`, and check it with \`dragoman doctor\`.\n`)
    return 0
  },
})

const usualPort = '8484'

function withDefaults(services: readonly FoundService[]): Answers {
  return { services, port: usualPort, keyed: false }
}

async function ask(found: readonly FoundService[], terminal: Parameters<typeof createQuestions>[0]): Promise<Answers> {
  const questions = createQuestions(terminal)
  try {
    const services: FoundService[] = []
    for (const service of found) {
      if (await questions.yes(`Use ${service.name} at ${service.url}?`, true)) services.push(service)
    }
    const more =
      services.length === 0
        ? 'URL of your model server (empty for none)'
        : 'URL of another model server (empty for none)'
    const url = await questions.text(more, '', (text) =>
      text === '' || readServiceUrl(text) !== undefined ? undefined : "That isn't an http:// or https:// address.",
    )
    if (url !== '') {
      const keyName = await questions.text('Environment variable with its API key (empty for none)', '', (text) =>
        /^\w*$/.test(text) ? undefined : "That isn't a valid variable name.",
      )
      services.push({
        name: services.some(({ name }) => name === 'server') ? 'server-2' : 'server',
        url: readServiceUrl(url) ?? url,
        ...(keyName !== '' && { key: `env:${keyName}` }),
      })
    }
    const port = await questions.text('Port for Dragoman', usualPort, (text) =>
      /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? undefined : 'A port is a number up to 65535.',
    )
    const keyed = await questions.yes('Should clients need an API key (from DRAGOMAN_KEY)?', false)
    return { services, port, keyed }
  } finally {
    questions.close()
  }
}

interface Answers {
  readonly services: readonly FoundService[]
  readonly port: string
  /** Clients need a key. */
  readonly keyed: boolean
}

/** A config file that says what it means. */
function printConfigFile({ services, port, keyed }: Answers): string {
  return `${schemaComment()}

# Address to listen on. One that other machines can reach needs keys.
listen: 127.0.0.1:${port}

# API keys for clients. Without any, only this machine can connect.
${keyed ? 'keys: [env:DRAGOMAN_KEY]' : '# keys: [env:DRAGOMAN_KEY]'}

# Your model servers. Their models are served under their own names.
${services.length === 0 ? emptyUpstreams : stringify({ upstreams: toUpstreamsFile(services) })}
# Settings for single models. \`dragoman doctor\` finds out what works best.
# models:
#   my-model:                 # the name clients use
#     upstream: ${services[0]?.name ?? 'server'}
#     model: org/My-Model     # the name on the server, if it differs
#     tools: auto             # native, prompt, or auto
#     dialect: auto           # run \`dragoman dialects\` for the list
`
}

const emptyUpstreams = `# Without any, Dragoman looks for servers on this machine.
# upstreams:
#   server:
#     kind: openai
#     url: http://127.0.0.1:8000/v1
#     key: env:MY_KEY         # if it wants one
`
