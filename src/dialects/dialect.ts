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
  /** Other forms its models slip into: read like the first, never printed. */
  readonly variants?: readonly Grammar[]
  readonly teaching: Teaching
  /** Marks around thoughts. `<think>` is understood everywhere. */
  readonly reasoning?: readonly Wrapper[]
  /** Marks that mean nothing to a client and are left out of the text: turn ends, wrappers of the answer. */
  readonly dropped?: readonly string[]
  /** Those of them with which an answer begins. Any other stands at its end, or next to a call. */
  readonly leading?: readonly string[]
}

/**
 * Literals around something. The first is the one printed; the others are spellings models use. In templates `{name}`,
 * `{id}` and `{key}` are slots, a newline or the seam of two tags (`><`) allows any white space, and quotes around a slot
 * are optional.
 */
export interface Wrapper {
  readonly open: readonly string[]
  /** None: it ends by itself, or with the answer. An empty one: it may be left out. */
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
  /** Messages with a header that says what they are; calls are messages to a tool. */
  readonly frame?: Frame
  /** What its marks are made of: signs of its own, unless it says otherwise. */
  readonly marks?: MarkKind
  /** Models fall back on this form whatever they were taught: read at the end of an answer, where it fits a tool. */
  readonly isFallback?: boolean
  /** At most one call an answer, by the dialect's own rules. */
  readonly single?: boolean
  /** How the model writes the id of a call, where it writes one. */
  readonly ids?: IdForm
  /** Names that mean "no call". */
  readonly decoys?: readonly string[]
  /** Words a kindred dialect writes where this one has the name: no names, unless a tool is called so. */
  readonly nonNames?: readonly string[]
}

/**
 * What marks are made of.
 * - `own`: signs that are nothing else (`<tool_call>`).
 * - `words`: ordinary text (`{`, a fence, `Action:`). Read only when the dialect was taught, and only for known tools.
 * - `none`: likewise; calls are printed without the section, and read without it at the start of a line.
 * - `names`: the tool's own name in a tag (`<read_file>`). Unknown names are text.
 * - `bare-names`: the tool's own name on a line, which is ordinary text, too.
 */
export type MarkKind = 'own' | 'words' | 'none' | 'names' | 'bare-names'

/** Whether its marks are ordinary text. */
export function hasFaintMarks({ marks }: Grammar): boolean {
  return marks === 'words' || marks === 'none' || marks === 'bare-names'
}

/** Whether the tools' own names are its marks. */
export function hasNameMarks({ marks }: Grammar): boolean {
  return marks === 'names' || marks === 'bare-names'
}

/** Ids that count, `functions.{name}:{number}`, from `first` on; or so many characters of an alphabet. */
export type IdForm =
  | { readonly template: string; readonly first: number }
  | { readonly alphabet: string; readonly length: number }

/** How arguments are written. */
export type Arguments =
  | {
      readonly as: 'json'
      /** Printed inside CDATA. */
      readonly cdata?: boolean
      /** Read also as child elements, and with XML's entities for its quotes. */
      readonly xml?: boolean
      /** Read also as plain text, for a tool that needs just one: up to one of these, or to the end. */
      readonly plainUntil?: readonly string[]
    }
  | {
      /** `{"name": …, "arguments": {…}}`: the name is inside. */
      readonly as: 'envelope'
      readonly nameKey: string
      readonly argumentsKey: string
      /** Printed with the id under this key. */
      readonly idKey?: string
      /** Printed as one array of envelopes. */
      readonly array?: boolean
      /** The array is printed as this only member of an object. */
      readonly listKey?: string
      /** The name is the only key: `{"set_lamp": {…}}`. */
      readonly keyed?: boolean
    }
  | {
      /** One element per argument. Templates with `{key}`. */
      readonly as: 'tagged'
      readonly open: string
      /** Other spellings of both. */
      readonly also?: readonly { readonly open: string; readonly close: string }[]
      readonly close: string
      /** How a value sits between its tags: on its own lines, directly, or on its own lines when it has several. */
      readonly layout: 'lines' | 'inline' | 'either'
      /** Blanks around a value of one line are layout, too. */
      readonly trims?: boolean
      /** Printed without a line break after each. */
      readonly isCompact?: boolean
      /** `&amp;` and its like stand for characters. */
      readonly entities?: boolean
    }
  /** `room="den", level=3`: Python's keyword arguments. */
  | { readonly as: 'keywords' }
  /** `{room:<|"|>den<|"|>,level:3}`: JSON-like, with a mark of its own around strings. */
  | { readonly as: 'pseudo'; readonly quote: string }
  /** A YAML mapping up to the closer. */
  | { readonly as: 'yaml' }

/** A message's header runs from `open` to `body`, its body to `close`. The patterns see the header with the mark that ended it. */
export interface Frame {
  readonly open: readonly string[]
  readonly body: readonly string[]
  readonly close: readonly string[]
  /** A call; group 1, where there is one, is the tool's name. */
  readonly call: RegExp
  /** A call if group 1 is a tool that was declared. */
  readonly knownCall?: RegExp
  readonly thought: RegExp
  readonly text: RegExp
  /** Only its closer ends a message to the user: a header inside it is a quotation. */
  readonly closes?: boolean
  /** The prompt ends inside a header, so the answer begins in one. */
  readonly startsInHeader?: boolean
}

/** How a dialect is taught and how history is written in it. */
export interface Teaching {
  /** Before the tools. */
  readonly intro: string
  readonly tools: ToolListing
  /** The words of a document, to which nothing is added unless the model's settings say so. */
  readonly isQuoted?: true
  /** After the tools: how to call, with `{example}` for a call of no tool in particular, printed by the grammar. */
  readonly rules: string
  /** One tool result: `{name}`, `{id}`, `{content}`. */
  readonly result: string
  /** Between two results of one turn. */
  readonly resultSeparator: string
}

/**
 * How one tool is written. Most models were trained on OpenAI's JSON or its inner object; `indented-json` is OpenAI's over
 * several lines, `sorted-json` without spaces and with its keys in order. The others are what single families know.
 */
export type ListingStyle =
  | 'openai-json'
  | 'function-json'
  | 'indented-json'
  | 'sorted-json'
  | 'xml-tool'
  | 'qwen-xml'
  | 'typescript'
  | 'python'
  | 'pseudo'
  | 'markdown'

export interface ToolListing {
  readonly style: ListingStyle
  readonly open: string
  readonly close: string
  readonly separator: string
}
