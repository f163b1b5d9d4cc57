import { longText, pause } from '../../pause.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { createMemory } from '../../protocol/memory/memory.ts'
import { type ConnectionSettings, isNearby, keyFor, withKeyRemedy } from '../connection.ts'
import { droppedNote } from '../dropped.ts'
import type { Flavour, Wire } from '../flavours/flavour.ts'
import type { UpstreamLimits } from '../kind.ts'
import { classifyRefusal, type Refusal } from '../refusals/refusal.ts'
import type { Capabilities, Upstream, UpstreamEvent, UpstreamRequest } from '../upstream.ts'
import type { Timeouts } from '../wire/deadlines.ts'
import type { HttpClient, HttpHead } from '../wire/http.ts'
import { ANSWER_BYTES, type BodyReader, type EventStep, openStream } from '../wire/stream.ts'
import { AnswerReader } from './answer.ts'
import { droppedFields, type Forward, toConstraint, toOpenAiBody } from './body.ts'
import { askEmbeddings } from './embeddings.ts'
import { createIdentity } from './identity.ts'
import { askModels, createContexts, toCutNote, withRemedy } from './models.ts'
import { createCallMemory } from './recalled.ts'
import {
  createRejectedFields,
  type RejectedField,
  readRejectedFields,
  scopeOf,
  toNote,
  withoutRejected,
} from './rejected-fields.ts'
import { createService, expectAnswer, type Service } from './service.ts'
import { cannotFit, mostModels, type PromptSize, sizeOf, smallestCut, withFigures } from './usage.ts'

/** A service that refuses one field after the other would be asked for ever. */
const MAX_TRIES = 4

/** A list of models costs a service next door nothing; a hosted one may send half a megabyte. */
const CHECK_NEARBY_MS = 10_000
const CHECK_REMOTE_MS = 300_000

/** Any service that speaks OpenAI's chat completions. */
export interface OpenAiSettings extends ConnectionSettings {
  /** Up to and including `/v1`. A query is kept. */
  readonly url: string
  /** The key, or `passthrough`: the client's own. */
  readonly key?: string | undefined
  readonly forward?: Forward
  /** The name of a flavour. Absent: found out by the address, else by free questions. */
  readonly flavour?: string | undefined
  /** The tokens of context to ask for, where the service can be asked. */
  readonly context?: number | undefined
}

/** How such a service is reached. */
export interface OpenAiOptions extends OpenAiSettings {
  readonly name: string
  readonly timeouts: Timeouts
  readonly limits?: UpstreamLimits | undefined
  readonly now?: () => number
  /** The flavours there are; default all of the registry. */
  readonly flavours?: readonly Flavour[]
}

/** Over connections of any kind. */
export function createOpenAiUpstreamOver(
  createClient: (url: URL, settings: ConnectionSettings & Timeouts) => HttpClient,
  options: OpenAiOptions,
): Upstream {
  const { name, key, forward = [], timeouts, limits, now = Date.now } = options
  const url = new URL(options.url)
  const client = createClient(url, { ...timeouts, proxy: options.proxy, ca: options.ca })
  const rejected = createRejectedFields(now)
  const callMemory = createCallMemory()
  const service: Service = createService({ name, url, key, client, headers: () => identity.current().traits.headers })
  const { askFreely, pathOf, besideOf, headersFor, secretsBeside } = service
  const identity = createIdentity({
    url,
    flavour: options.flavour === 'auto' ? undefined : options.flavour,
    ask: askFreely,
    now,
    known: options.flavours,
  })
  const contexts = createContexts(askFreely, options.context)
  const ratios = createMemory<number>({ entries: mostModels })

  /** How many tokens of context to ask for, and in which protocol: where the service has one for it, a request may say. */
  function roomFor({ extra }: UpstreamRequest): { readonly wire?: Wire; readonly context?: number } {
    const { chat: wire } = identity.current().flavour
    const asked = wire && extra[wire.contextField]
    const context = typeof asked === 'number' && asked > 0 ? asked : options.context
    return wire === undefined || context === undefined ? {} : { wire, context }
  }

  /** One body sent, and its answer. `onRefused` gets a refusal before it is thrown. */
  function send(
    body: JsonObject,
    { clientKey, requestId, via, headers, onSent }: UpstreamRequest,
    { wire, context = 0, onRefused, watched, ...options }: SendOptions,
    signal: AbortSignal,
  ): AsyncGenerator<readonly UpstreamEvent[], void> {
    const secret = keyFor(key, clientKey)
    const refuse = (said: Omit<Refusal, 'upstream'>) => {
      const refusal = { ...said, upstream: name, sent: body, secrets: secretsBeside(secret) }
      onRefused(refusal)
      return withKeyRemedy(withRemedy(classifyRefusal(refusal), identity.current().traits.contextRemedy), key, secret)
    }
    const classify = (said: unknown) => refuse({ body: said })
    const { answerBytes, eventBytes } = limits ?? {}
    const reader =
      wire === undefined
        ? new AnswerReader(name, classify, answerBytes && maxJsonFor(answerBytes), eventBytes)
        : wire.createReader(name, classify)
    const stream = {
      ...options,
      upstream: name,
      client,
      timeouts,
      answerBytes,
      onSent,
      reader: watched(reader),
      request: {
        method: 'POST' as const,
        path: wire === undefined ? pathOf('/chat/completions') : besideOf(wire.path),
        headers: {
          ...headersFor(secret),
          'content-type': 'application/json',
          ...(requestId !== undefined && { 'x-request-id': requestId }),
          ...(via !== undefined && { 'x-dragoman-via': via }),
          ...headers,
        },
        body: JSON.stringify(wire === undefined ? body : wire.toBody(body, context)),
      },
      expect: (head: HttpHead, said: () => Promise<string>) => expectAnswer(name, head, said, refuse),
    }
    return openStream(stream, signal)
  }

  /** Compares the usage a service reports with what it was sent and what it said. */
  function watch(reader: BodyReader, model: string, size: PromptSize, isNoted: boolean): BodyReader {
    const { cutsPrompts, passesAll } = identity.current().traits
    if (!cutsPrompts && !passesAll) return reader
    // Only now a model that was not loaded has a context.
    const onBegun = () => {
      if (cutsPrompts && size.bytes > smallestCut) void contexts.ask(identity.current().flavour, model)
    }
    const context = () => contexts.known(model)
    return withFigures(reader, { model, size, ratios, context, onBegun, isNoted, cutsPrompts, passesAll })
  }

  /** How to tell a service that writes a call from a dead one, where it says nothing meanwhile. */
  function livenessOf({ tools, model }: UpstreamRequest): (() => Promise<boolean>) | undefined {
    const { alive } = identity.current().flavour
    if (tools.length === 0 || alive === undefined || identity.current().traits.calls !== 'whole') return undefined
    return async () => {
      // A machine that is busy with its model may be slow to say so.
      for (let tries = 0; tries < 3; tries++) if ((await askFreely(alive, model)) !== undefined) return true
      return false
    }
  }

  /** Whether prompts end inside a thought, where the service shows them. */
  async function opensThoughtOf(model: string): Promise<Capabilities['opensThought']> {
    const { prompts } = identity.current().flavour
    if (prompts === undefined) return undefined
    const [thinking, thoughtless] = await Promise.all(
      [prompts.thinking, prompts.thoughtless].map(async (question) => {
        const answer = await askFreely(question, model)
        return answer !== undefined && /<think>\s*$/.test(prompts.read(answer) ?? '')
      }),
    )
    return thoughtless ? 'always' : thinking ? 'usually' : undefined
  }

  async function* chat(request: UpstreamRequest, signal: AbortSignal): AsyncGenerator<readonly UpstreamEvent[], void> {
    const secret = keyFor(key, request.clientKey)
    const size = sizeOf(request)
    const isLarge = size.bytes > smallestCut
    if (size.bytes > longText) await pause()
    // Who it is decides how tools are written, what becomes of a long prompt, and which further fields it takes.
    const matters = request.tools.length > 0 || isLarge || droppedFields(request, { forward }).length > 0
    if (matters || options.context !== undefined) await identity.identify()
    const { wire, context } = roomFor(request)
    const traits = wire === undefined ? identity.current().traits : { ...identity.current().traits, takes: wire.takes }
    const mayCut = traits.cutsPrompts && wire === undefined
    if (mayCut && isLarge) await contexts.ask(identity.current().flavour, request.model)
    const willCut = mayCut && cannotFit(size, contexts.known(request.model)?.tokens)
    const remembers =
      traits.reasoning === 'remembered' || (traits.providerMetadata === 'remembered' && request.tools.length > 0)
    const memory = remembers ? callMemory.about(request, traits) : undefined
    const body = toOpenAiBody(request, {
      forward,
      traits,
      ...(memory && { recall: memory.recall, thinks: memory.thinks }),
    })
    const held = toConstraint(request.constraint, traits)
    const unsent = droppedNote(droppedFields(request, { forward, traits }))
    const scope = (): string => scopeOf(request.model, secret)
    const known = rejected.about(scope, body)
    const found: RejectedField[] = []
    for (let tries = 1; ; tries += 1) {
      const sent = withoutRejected(body, [...known, ...found])
      let refusal: Refusal | undefined
      const options: SendOptions = {
        wire,
        context,
        isAlive: livenessOf(request),
        watched: (reader) => watch(reader, request.model, size, willCut),
        steps: memory ? [memory.watch()] : [],
        onRefused(said) {
          refusal = said
        },
      }
      const answer = send(sent, request, options, signal)
      let first: IteratorResult<readonly UpstreamEvent[], void>
      try {
        first = await answer.next()
      } catch (thrown) {
        if (refusal === undefined || tries >= MAX_TRIES || signal.aborted) throw thrown
        // A constraint is not left out: the turn falls back on another means.
        const more = readRejectedFields(sent, refusal.status, refusal.body).filter(({ field }) => !(field in held))
        if (more.length === 0) throw thrown
        found.push(...more)
        continue
      }
      rejected.keep(scope, found)
      const cut = willCut ? [toCutNote(contexts.known(request.model))] : []
      try {
        if (first.done !== true) yield [...unsent, ...[...known, ...found].map(toNote), ...cut, ...first.value]
        yield* answer
      } finally {
        await answer.return()
      }
      return
    }
  }

  return {
    name,
    kind: 'openai',
    isPersonal: key === 'passthrough',
    checkEveryMs: isNearby(url.hostname) ? CHECK_NEARBY_MS : CHECK_REMOTE_MS,

    about: () => ({
      address: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
      ...(identity.current().flavour.title !== undefined && { product: identity.current().flavour.title }),
      ...(key !== undefined && { key: key === 'passthrough' ? 'client' : 'own' }),
      ...(identity.current().flavour.toolsRemedy !== undefined && {
        toolsRemedy: identity.current().flavour.toolsRemedy,
      }),
    }),

    chat,

    models: (signal) => askModels(service, signal),

    embed: (request, signal) =>
      askEmbeddings(
        { service, key, withinMs: timeouts.firstEventMs, maxBytes: limits?.answerBytes ?? ANSWER_BYTES },
        request,
        signal,
      ),

    async findModel(wanted, listed) {
      await identity.identify()
      const { modelName } = identity.current().flavour
      if (modelName === undefined) return undefined
      const meant = modelName(wanted)
      return listed.find((id) => modelName(id) === meant)
    },

    async probe(model) {
      await identity.identify()
      const [able, context, opensThought] = await Promise.all([
        identity.able(model),
        contexts.ask(identity.current().flavour, model),
        opensThoughtOf(model),
      ])
      const { requires, prefill, constraints, knownForMs, templateTools, stops } = identity.current().traits
      return {
        ...able,
        heedsToolChoice: requires,
        prefill: prefill.by !== 'none',
        templateTools: templateTools !== undefined,
        stops,
        constraints: constraints.map(({ kind, isCheap = false }) => ({ kind, isCheap })),
        knownForMs,
        ...(opensThought && { opensThought }),
        ...(Object.keys(context).length > 0 && { context }),
      }
    },

    async close() {
      await client.close()
    },
  }
}

/** Text in JSON is longer than text, and stands in a frame. */
function maxJsonFor(answerBytes: number): number {
  return 2 * answerBytes + 64 * 1024
}

/** How one body is sent, and its answer read. */
interface SendOptions {
  readonly isAlive: (() => Promise<boolean>) | undefined
  readonly steps: readonly EventStep[]
  /** A protocol of its own, with a context of so many tokens. */
  readonly wire: Wire | undefined
  readonly context: number | undefined
  watched(reader: BodyReader): BodyReader
  onRefused(refusal: Refusal): void
}
