import { z } from 'zod'
import { budgetSchema, priceSchema } from './budgets.ts'
import { createKeySchema } from './keys.ts'
import { createTracesSchema } from './traces.ts'
import { readAddress } from './values/address.ts'
import { isHostPattern, isOriginPattern } from './values/allow-lists.ts'
import {
  choice,
  duration,
  named,
  pause,
  percent,
  size,
  strict,
  text,
  toBytes,
  truth,
  type UpstreamFields,
  untilRestart,
  wholeNumber,
} from './values/fields.ts'

export const limitFields = strict({
  body: size.prefault('32mb').describe('The largest request body.'),
  answer: size
    .prefault('64mb')
    .describe(
      'The most one answer may say: its words, thoughts and calls. Beyond it the model is cut off, with an error.',
    ),
  tools: wholeNumber(1, 100_000).default(512).describe('The most tools a request may offer.'),
  depth: wholeNumber(8, 1000).default(128).describe('How deep the JSON of a request may be nested.'),
  headers: untilRestart(
    size
      .refine((value) => toBytes(value) >= 1024, { error: 'a size from 1kb' })
      .prefault('16kb')
      .describe('The most the headers of a request may take.'),
  ),
  event: size.prefault('8mb').describe('The largest single event a model server may stream.'),
  heap_refuse: percent
    .prefault(85)
    .describe('Percent of the memory Node may use, from which on new requests are refused.'),
  heap_drain: percent
    .prefault(95)
    .describe('Percent from which on the gateway finishes what is under way and ends, to be started anew.'),
})

export const timeoutFields = strict({
  connect: duration.prefault('5s').describe('How long connecting to a model server may take.'),
  first_event: duration.prefault('600s').describe('How long to wait for the first token.'),
  idle: duration.prefault('120s').describe('How long to wait from one token to the next.'),
  total: duration.prefault('3600s').describe('How long a whole answer may take.'),
  queue: duration.prefault('60s').describe('How long a request may wait in line for a model server.'),
  client_headers: untilRestart(
    duration.prefault('10s').describe('How long a client may take to send the headers of a request.'),
  ),
  client_body: untilRestart(duration.prefault('60s').describe('How long it may take to send all of a request.')),
  drain_delay: pause
    .prefault('0s')
    .describe('When stopping: how long to go on accepting requests after /readyz says no. 5s behind a load balancer.'),
  drain: pause.prefault('10s').describe('When stopping: how long answers under way may take to finish.'),
})

/**
 * The configuration file, strict and with its defaults. Nothing is transformed here: what comes out has the shape of
 * the file, so that it can be printed back; `settings.ts` turns it into what the program works with.
 */
export function createConfigSchema(vocabulary: Vocabulary) {
  const model = createModelSchema(vocabulary.dialects)
  const upstream = createUpstreamSchema(vocabulary)
  return strict({
    $schema: z
      .string({ error: 'the address of a JSON Schema' })
      .optional()
      .describe('For editors. Dragoman ignores it.'),
    listen: z
      .string({ error: listenWords })
      .refine((value) => readAddress(value) !== undefined, { error: listenWords })
      .default('127.0.0.1:8484')
      .meta({
        type: ['string', 'integer'],
        description: 'HOST:PORT, or a port of this machine alone; an address other machines reach needs `keys`.',
      }),
    keys: z
      .array(createKeySchema(), { error: 'a list of keys' })
      .default([])
      .describe(
        'API keys for clients, best as env:NAME. Without any, only this machine can connect. `dragoman keys new` makes one.',
      ),
    teams: named(budgetSchema, 'teams by name').default({}).describe('What all keys of a team may use up together.'),
    allowed_hosts: z
      .array(z.string({ error: hostWords }).refine(isHostPattern, { error: hostWords }), {
        error: 'a list of host names',
      })
      .default([])
      .describe(
        'Names clients may call the gateway by, beside localhost and its own address: host.docker.internal, *.lan, name:8484. Once set, an open address answers to these only.',
      ),
    allowed_origins: z
      .array(z.string({ error: originWords }).refine(isOriginPattern, { error: originWords }), {
        error: 'a list of origins',
      })
      .default([])
      .describe(
        'Web pages that may call the gateway from a browser: https://chat.example.com, http://localhost:3000, http://localhost:*, app://obsidian.md. Default: none. "*" is any page, and needs `keys`.',
      ),
    doors: createDoorsSchema(vocabulary.doors ?? []),
    log: choice(['info', 'debug'])
      .default('info')
      .describe('`debug` adds to every line of the log all that was changed between client and model, in order.'),
    workers: untilRestart(
      z
        .union([wholeNumber(1, mostWorkers), z.literal('auto', { error: workersWords })], { error: workersWords })
        .default(1)
        .describe(
          'How many processes share the port: a number, or `auto` for one per CPU. With more than one, a supervisor restarts a process that dies and replaces them one by one on reload.',
        ),
    ),
    upstreams: named(upstream, 'upstreams by name').default({}),
    models: named(model, 'models by the name clients use').default({}),
    sessions: strict({
      store: z
        .string({ error: storeWords })
        .refine((value) => value.startsWith('env:') || isSessionStore(value), { error: storeWords })
        .default('memory')
        .describe(
          'Where to remember conversations that a service keeps or a client goes on from. Several gateways can share a Redis.',
        ),
      ttl: duration.prefault('30m').describe('How long a conversation can be continued after its last answer.'),
    }).prefault({}),
    limits: limitFields.prefault({}),
    timeouts: timeoutFields.prefault({}),
    metrics: choice(['auto', 'open', 'off'])
      .default('auto')
      .describe('Who may read /metrics: users of the gateway (auto), everyone (open), no one (off).'),
    readiness: choice(['gateway', 'upstreams'])
      .default('gateway')
      .describe(
        'When /readyz says yes: as long as the gateway takes requests (gateway), so that clients of an outage get its explanation, or only while a model server can be used (upstreams).',
      ),
    inspector: untilRestart(
      truth
        .default(true)
        .describe(
          'Serve the inspector at /inspector. It needs no password on this machine, and the token it prints everywhere else.',
        ),
    ),
    traces: createTracesSchema(),
  })
}

/** One model's settings; parsing `{}` gives the defaults. */
export function createModelSchema(dialects: readonly string[]) {
  return strict({
    upstream: z
      .union(
        [text('the name of an upstream'), z.array(text('the name of an upstream')).min(1, { error: upstreamWords })],
        {
          error: upstreamWords,
        },
      )
      .optional()
      .describe(
        'The upstream that serves it, or a list tried in order before the first byte. Default: the only upstream.',
      ),
    weights: named(wholeNumber(1, 1000), 'whole numbers by the name of an upstream')
      .optional()
      .describe('How often to ask each upstream first, in proportion. Default: always in the order of the list.'),
    model: text('a model name').optional().describe("The model's name on the upstream. Default: the same name."),
    tools: choice(['auto', 'native', 'template', 'prompt'])
      .default('auto')
      .describe(
        'Use native tool calls, let the server’s chat template tell the tools and read the calls here, put tools into the prompt, or find out which works.',
      ),
    dialect: choice(['auto', ...dialects], dialectWords)
      .default('auto')
      .describe('Format to teach tools in, in prompt mode. Run `dragoman dialects` for the list.'),
    reminder: choice(['auto', 'on', 'off'])
      .default('auto')
      .describe(
        'In prompt mode, end the last message with a line that says how to call a tool. `auto`: everywhere but in web chats (Poe, Qwen).',
      ),
    constrain: choice(['auto', 'always', 'never'])
      .default('auto')
      .describe(
        'In prompt mode, hold answers to a grammar of your tools: when a call is required and where it costs the model server little (auto), wherever the server takes one (always), or never.',
      ),
    arguments: choice(['stream', 'whole'])
      .default('stream')
      .describe('Stream arguments as they arrive, or send them in one piece.'),
    unknown_tools: choice(['auto', 'call', 'text'])
      .default('auto')
      .describe('What to make of a call to a tool the request does not offer.'),
    repair: wholeNumber(0, 5)
      .default(0)
      .describe(
        'How often to ask the model again, unseen, after an invalid or missing call, or an answer that does not fit its response format.',
      ),
    persist: z
      .union([choice(['off', 'auto']), wholeNumber(1, 5)], { error: persistWords })
      .default('off')
      .describe(
        'When a turn with tools ends for nothing (it is empty, or only announces a call): leave it so (off), ask the model once more, unseen (auto), or up to so many times.',
      ),
    template: strict({
      system: truth.default(true).describe('Whether it takes a system message.'),
      alternate: truth.default(false).describe('Whether user and assistant messages must alternate.'),
      thinks: truth
        .default(false)
        .describe('Whether it ends with an open `<think>`, so that answers start inside a thought. For prompt mode.'),
    })
      .prefault({})
      .describe("What the model's chat template accepts."),
    listing: choice(['auto', 'full', 'short', 'signatures'])
      .default('auto')
      .describe(
        'How much to tell of each tool: all of it (full), fewer words (short), or in prompt mode a signature with a line for each parameter (signatures). `auto`: all of it, shorter where `tools_budget` wants that.',
      ),
    tools_budget: z
      .union(
        [
          z.int({ error: budgetWords }).min(1, { error: budgetWords }).max(10_000_000, { error: budgetWords }),
          z.string().regex(/^[1-9]\d{0,4} tools?$/, { error: budgetWords }),
        ],
        { error: budgetWords },
      )
      .optional()
      .describe(
        'How many tokens the tools may take in the prompt, or how many tools there may be, as `10 tools`. Beyond that they are shortened, and then those that fit the task are told; the model finds the others with a search.',
      ),
    vision: text('the name of a model')
      .optional()
      .describe(
        'For a model that sees no images: the name of one that does. It describes each image once, and the description stands in its place.',
      ),
    price: priceSchema
      .optional()
      .describe('What a million tokens cost, for `cost_per_day` and `cost_per_month` of keys.'),
    history: choice(['heal', 'strict'])
      .default('strict')
      .describe('`heal` repairs what an abort or a bug left in the history, instead of refusing it.'),
    loop: choice(['tell', 'stop', 'steer'])
      .default('tell')
      .describe(
        'When the model makes the same call three times in a row: only say so, or end its turn without that call. `steer`: when the same call brings the same result three times, tell the model what it has not tried, and do not let it make that call again.',
      ),
  })
}

export type ConfigFile = z.output<ReturnType<typeof createConfigSchema>>
export type ModelFile = ConfigFile['models'][string]

/** The schema of the file for editors. */
export function toConfigJsonSchema(vocabulary: Vocabulary): object {
  return { title: 'Dragoman configuration', ...z.toJSONSchema(createConfigSchema(vocabulary), { io: 'input' }) }
}

const budgetWords = 'a number of tokens up to 10000000, or of tools, such as 10 tools'
const hostWords = 'a host name such as host.docker.internal or *.lan, without http://'
const originWords = 'an origin such as https://chat.example.com or http://localhost:3000, without a path'
const listenWords = 'HOST:PORT such as 127.0.0.1:8484 or [::1]:8484'
const mostWorkers = 128
const workersWords = `a number from 1 to ${mostWorkers}, or auto`
const dialectWords = 'auto or the name of a dialect (run `dragoman dialects` for the list)'
const persistWords = 'off, auto or a whole number from 1 to 5'
const upstreamWords = 'the name of an upstream or a list of names'
/** Whether a text, `env:NAME` resolved, names a place for sessions. */
export function isSessionStore(value: string): boolean {
  return value === 'memory' || (/^rediss?:\/\//.test(value) && URL.canParse(value))
}

export const storeWords = 'memory, or the address of a Redis such as redis://127.0.0.1:6379'

function createDoorsSchema([first = 'chat', ...others]: readonly string[]) {
  const names = [first, ...others] as const
  const words = `a list of one or more of ${names.join(', ')}`
  return z
    .array(choice(names), { error: words })
    .min(1, { error: words })
    .default([...names])
    .describe(
      'The APIs clients can use: `chat` is /v1/chat/completions, `responses` /v1/responses, `messages` /v1/messages, `ollama` /api. Default: all.',
    )
}

/** What the schema is made of that config does not know by itself. */
export interface Vocabulary {
  /** The names `dialect` may have beside `auto`. */
  readonly dialects: readonly string[]
  /** The kinds of OpenAI-compatible services there are. */
  readonly flavours?: readonly string[]
  /** The names of the public protocols there are; none: `chat`. */
  readonly doors?: readonly string[]
  /** The kinds of upstreams there are. */
  readonly kinds: readonly UpstreamFields[]
}

/** One upstream in the file. Its kind alone knows the rest. */
export interface UpstreamFile {
  readonly kind: string
  readonly key?: string | undefined
  readonly proxy?: string | undefined
}

function createUpstreamSchema({ kinds, flavours = [] }: Vocabulary): z.ZodType<UpstreamFile> {
  const [first, ...others] = kinds.map(({ kind, fields }) => strict({ kind: z.literal(kind), ...fields({ flavours }) }))
  if (first === undefined) throw new TypeError('There are no kinds of upstreams.')
  return z.discriminatedUnion('kind', [first, ...others], {
    error: (issue) => (issue.code === 'invalid_union' ? undefined : 'an upstream: a kind and its settings'),
  }) as z.ZodType<UpstreamFile>
}
