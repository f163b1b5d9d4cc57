/**
 * A dialect is data: the marks around reasoning and calls, how a call's name and arguments are written inside them, and
 * the words that teach it. One grammar serves both directions: the engine prints by it and reads by it.
 */
export interface Dialect {
  /** The id users know, as in `dragoman dialects`. */
  readonly name: string
  /** Which models speak it, in words. */
  readonly models: string
  /** Model ids that speak it best; `dialect: auto` takes the first dialect whose pattern matches. */
  readonly speaks?: RegExp
  readonly grammar: Grammar
  readonly teaching: Teaching
  /** Marks around thoughts. `<think>` is understood everywhere. */
  readonly reasoning?: readonly Wrapper[]
  /** Marks that mean nothing to a client and are left out of the text: turn ends, wrappers of the answer. */
  readonly dropped?: readonly string[]
}

/**
 * Literals around something. The first is the one printed; the others are spellings models use. In templates `{name}`,
 * `{id}` and `{key}` are slots, a newline stands for any white space or none, and quotes around a slot are optional.
 */
export interface Wrapper {
  readonly open: readonly string[]
  /** None: it ends by itself, or with the answer. */
  readonly close: readonly string[]
}

export interface Grammar {
  /** Around all calls. A call without it is read all the same. */
  readonly section?: Wrapper
  /** Around one call, its name included where it stands outside the arguments: `<function={name}>`. Templates. */
  readonly call: Wrapper
  /** Between two printed calls. */
  readonly separator: string
  readonly arguments: Arguments
  /** The marks are ordinary text (`{`, a fence, `Action:`): read only when this dialect was taught, and only for known tools. */
  readonly faint?: boolean
  /** The tool's own name is the mark (`<read_file>`): unknown names are text. */
  readonly nameIsMark?: boolean
  /** At most one call an answer, by the dialect's own rules. */
  readonly single?: boolean
}

/** How arguments are written. */
export type Arguments =
  | { readonly as: 'json' }
  | {
      /** `{"name": …, "arguments": {…}}`: the name is inside. */
      readonly as: 'envelope'
      readonly nameKey: string
      readonly argumentsKey: string
      /** Printed as one array of envelopes in the section. */
      readonly array?: boolean
      /** Printed in a code fence with this word. */
      readonly fence?: string
    }
  | {
      /** One element per argument. Templates with `{key}`. */
      readonly as: 'tagged'
      readonly open: string
      readonly close: string
      /** How a value sits between its tags: on its own lines, directly, or on its own lines when it has several. */
      readonly layout: 'lines' | 'inline' | 'either'
    }

/** How a dialect is taught and how history is written in it. */
export interface Teaching {
  /** Before the tools. */
  readonly intro: string
  readonly tools: ToolListing
  /** After the tools: the rules, with `{example}` for a call printed by the grammar. */
  readonly rules: string
  /** One tool result: `{name}`, `{id}`, `{content}`. */
  readonly result: string
  /** Between two results of one turn. */
  readonly resultSeparator: string
}

export interface ToolListing {
  readonly style: 'openai-json' | 'function-json' | 'xml-tool' | 'markdown'
  readonly open: string
  readonly close: string
  readonly separator: string
}
