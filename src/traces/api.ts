import type { NoteKind } from '../protocol/note.ts'
import type { Exchange, Got, Said, Summary } from './exchange.ts'

/**
 * What the inspector's API speaks, as pure types: the page imports them. All of it is read-only, JSON unless said
 * otherwise, and lies under `/inspector/api/`. Failures are `{"error": {"message", "type", "param", "code"}}` with their status.
 *
 * - `GET info`: `Info`.
 * - `GET exchanges?limit=&before=&after=&conversation=&request=`: `Page`, newest first. `before` and `after` are ids of
 *   exchanges, `request` is the `x-request-id` of an answer, `limit` goes up to 10000 (default 100).
 *   With `text=`, those that are over in which that was asked or said; the other conditions are left aside.
 * - `GET exchanges/:id`: `Exchange`; 404 when it is unknown or no longer kept.
 * - `GET exchanges/:id/export`: the same as a file (`Exported`). With `?as=golden`, a line for `dragoman explain --batch`
 *   with what it has to say (`Golden`); 404 where no model said anything.
 * - `GET overview?last=&from=&to=&buckets=`: `Overview` of the last so many ms (default an hour), or from one epoch ms to
 *   another, in 60 buckets unless said otherwise.
 * - `GET live`: server-sent events. `summary` with a `Summary` whenever one begins or changes. With `?id=`, of this one
 *   exchange: `exchange` with all of it so far (first, whenever a service is asked, and when it is over), between them
 *   `grown` with a `Growth`.
 *
 * A key that is no admin's gets `info` and `overview`; all else is 403.
 */

/** What was added to an exchange since the last event. Texts and pieces are to be appended. */
export interface Growth {
  /** Which attempt `said` is about. */
  readonly attempt: number
  readonly said?: Pick<Said, 'text' | 'thoughts' | 'pieces'>
  /** `body` is what was added to the body. */
  readonly got?: Pick<Got, 'text' | 'thoughts' | 'calls' | 'pieces'> & { readonly body: string }
}

export interface Page {
  /** Newest first. */
  readonly exchanges: readonly Summary[]
  /** There are older ones: ask with `before` the last id. */
  readonly hasMore: boolean
  /** How many are kept in all. */
  readonly total: number
}

export interface Info {
  readonly version: string
  readonly recording: {
    readonly store: 'memory' | 'sqlite' | 'off'
    readonly bodies: boolean
    readonly entries: number
    readonly bytes: number
    /** Absent: until there is no more room. */
    readonly retentionMs?: number
  }
  /** The most of one payload that is kept, in characters. */
  readonly payloadLength: number
  readonly doors: readonly { readonly name: string; readonly paths: readonly string[] }[]
  /** What `x-dragoman-dialect` may say. */
  readonly dialects: readonly string[]
  /** A client of the gateway needs a key: the playground has to ask for one. */
  readonly needsKey: boolean
  /** `usage`: the overview, and nothing that was said. */
  readonly access: 'all' | 'usage'
  /** Milliseconds since 1970, to compare clocks. */
  readonly now: number
}

/** A file that holds one exchange and can be read without the gateway. */
export interface Exported {
  readonly dragoman: string
  readonly format: 'exchange/1'
  readonly exchange: Exchange
}

/**
 * A line for `dragoman explain --batch`, and what it has to say. The fields are those of a batch; `expected` is what the
 * reader made of the text, before the turn went on with it.
 */
export interface Golden {
  readonly id: string
  readonly text: string
  /** OpenAI's array. */
  readonly tools: readonly unknown[]
  readonly dialect?: string
  readonly parallel_tool_calls?: boolean
  readonly finish_reason?: string
  readonly starts_in?: 'text' | 'reasoning'
  readonly unknown_tools?: 'auto' | 'call' | 'text'
  /** Calls that stand in the request: repeated, not made. */
  readonly quoted?: readonly { readonly name: string; readonly arguments: string }[]
  readonly expected: {
    readonly content: string | null
    readonly reasoning: string | null
    readonly tool_calls: readonly { readonly name: string; readonly arguments: string }[]
    readonly finish_reason: string | null
  }
}

/** Figures of one stretch of time. */
export interface Bucket {
  /** Its beginning, epoch ms. */
  readonly at: number
  readonly requests: number
  readonly failed: number
  readonly aborted: number
  /** None where nothing was said. */
  readonly firstByteMs?: Quantiles
  readonly tokensPerSecond?: Quantiles
  readonly promptTokens: number
  readonly completionTokens: number
  readonly calls: number
}

export interface Quantiles {
  readonly p50: number
  readonly p95: number
}

/** What a number of exchanges come to. */
export interface Figures {
  readonly total: Omit<Bucket, 'at'>
  readonly buckets: readonly Bucket[]
  /** Complete calls by how tools went to the model: a dialect, or `native`; and exchanges with tools that gave none. */
  readonly dialects: readonly {
    readonly dialect: string
    readonly exchanges: number
    readonly calls: number
    /** Exchanges with a call that could not be read, was cut off, or broke its schema. */
    readonly flawed: number
  }[]
  /** In how many exchanges each note came, the commonest first. */
  readonly notes: readonly { readonly kind: NoteKind; readonly exchanges: number; readonly words?: string }[]
  readonly errors: readonly { readonly code: string; readonly exchanges: number }[]
  /** By the names of keys, those that took most first; none where no keys are set. */
  readonly keys: readonly { readonly key: string; readonly exchanges: number; readonly tokens: number }[]
}

export interface ModelFigures extends Figures {
  /** Absent for the requests that named no model, or could not be read. */
  readonly model?: string
}

export interface Overview {
  readonly from: number
  readonly to: number
  readonly bucketMs: number
  readonly all: Figures
  /** Those with the most requests first. */
  readonly models: readonly ModelFigures[]
  /** So many models with fewer requests are only in `all`. */
  readonly otherModels: number
  /** False: there were more exchanges than are counted. */
  readonly isComplete: boolean
  /** The key that asks, where it may see usage only. Without `allowances`, they can't be read at the moment. */
  readonly own?: { readonly key: string; readonly allowances?: readonly Allowance[] }
}

/** One limit of a budget, and what is left of it. */
export interface Allowance {
  /** As the config file calls it: `tokens_per_day`. */
  readonly limit: string
  readonly of: 'key' | 'team'
  readonly what: 'tokens' | 'cost'
  readonly period: 'day' | 'month'
  readonly amount: number
  readonly left: number
  /** Epoch ms. */
  readonly renewsAt: number
}
