import type { ListingStyle } from './prompt/teach/shorten.ts'

/** What the chat template of a model accepts. */
export interface TemplateSettings {
  /** False: no system role; the system text goes in front of the first user message. */
  readonly system: boolean
  /** True: user and assistant must alternate strictly, the user first and last. */
  readonly alternate: boolean
  /** True: one system message, before all others, also where tools are native. In prompt mode that is always so. */
  readonly single?: boolean
  /** True: the whole conversation in one user message. */
  readonly transcript?: boolean
  /** True: it ends inside a thought, so that answers begin in one and have only its closer. */
  readonly thinks?: boolean
}

/** How one model is served. */
export interface ModelSettings {
  /** The name clients use. */
  readonly name: string
  /** Names of upstreams, tried in order before the first byte. */
  readonly upstreams: readonly string[]
  /** How often each upstream is asked first, in proportion; absent: in the order of the list. */
  readonly weights?: Readonly<Record<string, number>> | undefined
  /** The upstream's name for it. */
  readonly model: string
  /** `template`: the server's chat template tells the tools, the calls are read from the text here. */
  readonly tools: 'auto' | 'native' | 'template' | 'prompt'
  /** `auto`, or the name of a dialect. */
  readonly dialect: string
  /**
   * In prompt mode, a line at the end of the last message that says how to call. `auto`: wherever the model itself is asked,
   * and not in a web chat, which keeps what it is told.
   */
  readonly reminder: 'auto' | 'on' | 'off'
  /** When an answer is held to a grammar or a schema: where a call is required and where it costs little, whenever it can be, or never. */
  readonly constrain: 'auto' | 'always' | 'never'
  /** `whole`: a call leaves only when its arguments are complete. */
  readonly arguments: 'stream' | 'whole'
  readonly unknownTools: 'auto' | 'call' | 'text'
  /** How often the model is asked again, unseen by the client, after an invalid or missing call. */
  readonly repair: number
  /** How often a turn with tools that ends for nothing is asked to go on, unseen by the client. `auto`: once. */
  readonly persist: 'off' | 'auto' | number
  readonly template: TemplateSettings
  /** How much a model is told of each tool. */
  readonly listing: 'auto' | ListingStyle
  /** How many tokens the tools may take in the prompt, counted as four characters each, or how many of them there may be: `10 tools`. */
  readonly toolsBudget?: number | string | undefined
  /** The model that describes images for this one, which sees none. */
  readonly vision?: string | undefined
  readonly history: 'strict' | 'heal'
  /**
   * What becomes of a call the model makes again and again: it is only told of, or ends the turn; or the model is told that it brings
   * nothing new, and asked for something else.
   */
  readonly loop: 'tell' | 'stop' | 'steer'
}

/** Settings of models that the configuration does not name. */
export type UnnamedSettings = Partial<Pick<ModelSettings, 'tools' | 'dialect'>>

/** The settings of a model that is not configured. */
export function defaultSettings(name: string, upstreams: readonly string[]): ModelSettings {
  return {
    name,
    upstreams,
    model: name,
    tools: 'auto',
    dialect: 'auto',
    reminder: 'auto',
    listing: 'auto',
    constrain: 'auto',
    arguments: 'stream',
    unknownTools: 'auto',
    repair: 0,
    persist: 'off',
    template: { system: true, alternate: false },
    history: 'strict',
    loop: 'tell',
  }
}
