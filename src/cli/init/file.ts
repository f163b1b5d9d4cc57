import { stringify } from 'yaml'
import { type FoundService, toUpstreamsFile } from '../../config/sources/found.ts'
import { schemaComment } from '../config/schema-file.ts'

export interface Answers {
  readonly services: readonly FoundService[]
  readonly port: string
  /** Clients need a key. */
  readonly keyed: boolean
}

/** A config file that says what it means. */
export function printConfigFile({ services, port, keyed }: Answers): string {
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
