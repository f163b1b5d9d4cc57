import { z } from 'zod'
import { readAddress } from './address.ts'
import { isHostPattern, isOriginPattern } from './allow-lists.ts'
import { readServiceUrl } from './service-url.ts'
import { durationPattern, sizePattern, toBytes, toMilliseconds } from './units.ts'

/**
 * The configuration file, strict and with its defaults. Nothing is transformed here: what comes out has the shape of
 * the file, so that it can be printed back; `settings.ts` turns it into what the program works with.
 *
 * The `error` of a field says what is allowed, as the end of "expected …"; `problems.ts` adds what was found.
 */
export function createConfigSchema(dialects: readonly string[], flavours: readonly string[] = []) {
  const model = createModelSchema(dialects)
  const upstream = createUpstreamSchema(flavours)
  return strict({
    $schema: z
      .string({ error: 'the address of a JSON Schema' })
      .optional()
      .describe('For editors. Dragoman ignores it.'),
    listen: z
      .string({ error: listenWords })
      .refine((value) => readAddress(value) !== undefined, { error: listenWords })
      .default('127.0.0.1:8484')
      .describe('HOST:PORT; an address other machines reach needs `keys`.'),
    keys: z
      .array(text('a key or env:NAME'), { error: 'a list of keys' })
      .default([])
      .describe('API keys for clients, best as env:NAME. Without any, only this machine can connect.'),
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
    log: choice(['info', 'debug'])
      .default('info')
      .describe('`debug` adds to every line of the log all that was changed between client and model, in order.'),
    upstreams: named(upstream, 'upstreams by name').default({}),
    models: named(model, 'models by the name clients use').default({}),
    sessions: strict({
      store: z
        .string({ error: storeWords })
        .refine((value) => value.startsWith('env:') || isSessionStore(value), { error: storeWords })
        .default('memory')
        .describe('Where to remember conversations that a service keeps. Several gateways can share a Redis.'),
      ttl: duration.default('30m').describe('How long a conversation can be continued after its last answer.'),
    }).prefault({}),
    limits: strict({
      body: size.default('32mb').describe('The largest request body.'),
      answer: size
        .default('64mb')
        .describe(
          'The most one answer may say: its words, thoughts and calls. Beyond it the model is cut off, with an error.',
        ),
      tools: wholeNumber(1, 100_000).default(512).describe('The most tools a request may offer.'),
    }).prefault({}),
    timeouts: strict({
      connect: duration.default('5s'),
      first_event: duration.default('600s').describe('How long to wait for the first token.'),
      idle: duration.default('120s').describe('How long to wait from one token to the next.'),
      total: duration.default('3600s'),
    }).prefault({}),
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
    tools: choice(['auto', 'native', 'prompt'])
      .default('auto')
      .describe('Use native tool calls, put tools into the prompt, or find out which works.'),
    dialect: choice(['auto', ...dialects], dialectWords)
      .default('auto')
      .describe('Format to teach tools in, in prompt mode. Run `dragoman dialects` for the list.'),
    arguments: choice(['stream', 'whole'])
      .default('stream')
      .describe('Stream arguments as they arrive, or send them in one piece.'),
    unknown_tools: choice(['auto', 'call', 'text'])
      .default('auto')
      .describe('What to make of a call to a tool the request does not offer.'),
    repair: wholeNumber(0, 5)
      .default(0)
      .describe('How often to ask the model again, unseen, after an invalid or missing call.'),
    template: strict({
      system: truth.default(true).describe('Whether it takes a system message.'),
      alternate: truth.default(false).describe('Whether user and assistant messages must alternate.'),
      thinks: truth
        .default(false)
        .describe('Whether it ends with an open `<think>`, so that answers start inside a thought. For prompt mode.'),
    })
      .prefault({})
      .describe("What the model's chat template accepts."),
    tools_budget: wholeNumber(1, 10_000_000)
      .optional()
      .describe('How many tokens the tools may take in the prompt. Beyond that, their schemas are shortened.'),
    history: choice(['heal', 'strict'])
      .default('strict')
      .describe('`heal` repairs what an abort or a bug left in the history, instead of refusing it.'),
    loop: choice(['tell', 'stop'])
      .default('tell')
      .describe(
        'When the model makes the same call three times in a row: only say so, or end its turn without that call.',
      ),
  })
}

export type ConfigFile = z.output<ReturnType<typeof createConfigSchema>>
export type ModelFile = ConfigFile['models'][string]

/** The schema of the file for editors. */
export function toConfigJsonSchema(dialects: readonly string[], flavours: readonly string[] = []): object {
  return { title: 'Dragoman configuration', ...z.toJSONSchema(createConfigSchema(dialects, flavours), { io: 'input' }) }
}

const hostWords = 'a host name such as host.docker.internal or *.lan, without http://'
const originWords = 'an origin such as https://chat.example.com or http://localhost:3000, without a path'
const listenWords = 'HOST:PORT such as 127.0.0.1:8484 or [::1]:8484'
const dialectWords = 'auto or the name of a dialect (run `dragoman dialects` for the list)'
const upstreamWords = 'the name of an upstream or a list of names'
const durationWords = 'a duration such as 500ms, 5s, 30m or 1h (a bare number counts seconds), at most 24d'
const sizeWords = 'a size such as 512kb or 32mb (a bare number counts bytes)'
/** Whether a text, `env:NAME` resolved, names a place for sessions. */
export function isSessionStore(value: string): boolean {
  return value === 'memory' || (/^rediss?:\/\//.test(value) && URL.canParse(value))
}

export const storeWords = 'memory, or the address of a Redis such as redis://127.0.0.1:6379'
const urlWords = 'an http:// or https:// address'

/** Timers beyond this fire at once. */
const longestTimerMs = 2 ** 31 - 1

const truth = z.boolean({ error: 'true or false' })

const duration = z
  .union(
    [z.string().regex(durationPattern, { error: durationWords, abort: true }), z.number({ error: durationWords })],
    {
      error: durationWords,
    },
  )
  .refine((value) => toMilliseconds(value) > 0 && toMilliseconds(value) <= longestTimerMs, { error: durationWords })

const size = z
  .union([z.string().regex(sizePattern, { error: sizeWords, abort: true }), z.int({ error: sizeWords })], {
    error: sizeWords,
  })
  .refine((value) => toBytes(value) > 0, { error: sizeWords })

/** What every service can be spared. */
const gate = {
  concurrency: wholeNumber(1, 100_000)
    .optional()
    .describe('How many requests to answer at once. Further ones wait in line.'),
  queue: wholeNumber(0, 1_000_000)
    .optional()
    .describe('How many requests may wait. Further ones are refused. Default 128.'),
}

function createUpstreamSchema(flavours: readonly string[]) {
  return z.discriminatedUnion(
    'kind',
    [
      strict({
        kind: z.literal('openai'),
        url: z
          .string({ error: urlWords })
          .refine((value) => readServiceUrl(value) !== undefined, { error: urlWords })
          .describe('Where its /chat/completions lives, like http://127.0.0.1:8000/v1; the /v1 may be left out.'),
        key: text('a key, env:NAME or passthrough')
          .optional()
          .describe(
            'Its key, best as env:NAME. `passthrough` sends the key the client came with; where `keys` are set, the one in its header x-dragoman-upstream-key instead.',
          ),
        forward: z
          .union([z.literal('all'), z.array(text('the name of a request field'))], {
            error: '"all" or a list of request fields',
          })
          .default([])
          .describe('Further request fields to pass on.'),
        flavour: choice(['auto', ...flavours])
          .optional()
          .describe('Which product it is. Default: recognised by its address or its answers.'),
        context: wholeNumber(512, 16_777_216)
          .optional()
          .describe(
            'For Ollama: the tokens of context to ask for. A prompt that does not fit is refused, not cut off.',
          ),
        ...gate,
      }),
      strict({
        kind: z.literal('qwen-chat'),
        url: z.url({ protocol: /^https?$/, error: urlWords }).default('https://chat.qwen.ai'),
        key: text('a token, env:NAME or passthrough')
          .optional()
          .describe("Your own token for the web page, best as env:NAME. `passthrough` sends the client's key on."),
        mode: choice(['replay', 'stateful'])
          .default('replay')
          .describe(
            'Send the whole conversation into a fresh chat each time, or continue chats and send only what is new.',
          ),
        parent: choice(['response_id', 'parent_id'])
          .default('response_id')
          .describe('Which id of an answer the next message refers to, when chats are continued.'),
        thinking: choice(['off', 'on', 'auto']).default('off').describe('Whether the model thinks first.'),
        ...gate,
      }),
      strict({
        kind: z.literal('poe'),
        url: z.url({ protocol: /^https?$/, error: urlWords }).default('https://api.poe.com/bot'),
        key: text('a key, env:NAME or passthrough')
          .optional()
          .describe("Its API key, best as env:NAME. `passthrough` sends the client's key on."),
        ...gate,
      }),
      strict({
        kind: z.literal('rehearsal'),
        prose: truth.default(true).describe('Whether it says a sentence before it calls.'),
        thinking: truth.default(false).describe('Whether it thinks first.'),
        calls: wholeNumber(1, 128)
          .optional()
          .describe('How many calls it makes when it makes any. Default: those asked for.'),
        script: z
          .union([text('a file'), z.array(z.string({ error: 'an answer' }))], {
            error: 'a list of answers or a file with one',
          })
          .default([])
          .describe('Answers to give word for word, one a request: a list, or a YAML or JSON file that holds one.'),
        usage: truth.default(true).describe('Whether it reports usage.'),
        piece_size: wholeNumber(1, 1_000_000).default(4).describe('Characters in one piece of its answer.'),
        cut_seed: wholeNumber(0, 2 ** 31)
          .optional()
          .describe('Pieces of 1 to 12 characters instead, the same for the same seed.'),
        tokens_per_second: z
          .number({ error: 'a number from 0' })
          .nonnegative({ error: 'a number from 0' })
          .default(0)
          .describe('Pieces in a second; 0: all at once.'),
      }),
    ],
    { error: (issue) => (issue.code === 'invalid_union' ? undefined : 'an upstream: a kind and its settings') },
  )
}

/** An object that refuses unknown keys. The error of such an issue carries the known keys, for `problems.ts` to word. */
function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape).filter((key) => !key.startsWith('$'))
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known.join(' ') : `an object with ${known.join(', ')}`),
  })
}

function named<Value extends z.ZodType>(value: Value, words: string) {
  return z.record(z.string().min(1, { error: 'a name' }), value, { error: words })
}

function text(words: string) {
  return z.string({ error: words }).min(1, { error: words })
}

/** `words` say what may be chosen where there is too much to name it all. */
function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices, words?: string) {
  return z.enum(choices, { error: words ?? `one of ${choices.join(', ')}` })
}

function wholeNumber(minimum: number, maximum: number) {
  const error = `a whole number from ${minimum} to ${maximum}`
  return z.int({ error }).min(minimum, { error }).max(maximum, { error })
}
