import { type Arguments, type Dialect, type Frame, type Grammar, hasNameMarks } from '../dialects/dialect.ts'
import type { NoteKind } from '../protocol/note.ts'
import type { Tool } from '../protocol/tool.ts'
import type { Why } from '../protocol/trace/span.ts'
import type { LiteralReader } from '../schema/coerce.ts'
import { compileParameters } from '../schema/compile.ts'
import type { Node } from '../schema/node.ts'
import type { EntriesOf, Entry, Trust, Way } from './marks/entries.ts'
import { cleanName, isPlainName, matchName } from './marks/names.ts'
import type { Header, Signs } from './marks/signs.ts'
import type { readTokens } from './marks/template.ts'
import type { Ending, ReaderOptions } from './options.ts'
import type { Pen } from './text/pen.ts'
import { refuted, Source, type Step } from './text/source.ts'
import { Transcript } from './transcript.ts'

/** Thrown when no more may be read of this answer: it had its one call. */
export const finished = Symbol('finished')

/** Thrown where the model begins another role's turn. */
export const turned = Symbol('turned')

/** No service takes as many in one message: who makes more is in a loop. */
const mostCalls = 1024

/**
 * Reads the calls, or the one call, that a mark announced: it is already taken, `start` is where it stood, and the entry
 * says what is to be read after it. False, or refuted, where there are none. Ends where the calls end, even if their
 * closers are missing.
 */
export type CallReader = (context: Context, way: Way, start: number) => Step<boolean>

/**
 * The parts of a reader that not every dialect needs: who reads few of them need not bring all. Those for calls, by how
 * these are written; those for what stands around calls; marks with slots or tools' names in them; Python's literals in
 * strings; messages with a header.
 */
export interface Forms extends Partial<Readonly<Record<Form | Exclude<Entry['at'], 'call'>, CallReader>>> {
  readonly slots?: typeof readTokens
  readonly literal?: LiteralReader
  readonly names?: EntriesOf
  readonly messages?: (reading: Reading, sign: Header, literal: string, wantsCall: boolean) => Step<boolean>
}

type Form = Arguments['as'] | 'xml'

/** The form in which calls are written. */
export function formOf({ arguments: spec }: Grammar): Form {
  return spec.as === 'json' && spec.xml === true ? 'xml' : spec.as
}

/** What did not come along cannot be read. */
export function part<Part>(form: Part | undefined): Part {
  if (form === undefined) throw refuted
  return form
}

/** One answer being read: what all its parts need. */
export interface Reading {
  readonly context: Context
  readonly signs: Signs
  /** Reads on in running text, up to the end of the answer. */
  readonly readText: () => Step<void>
}

/** A call, or a list of them, being read. */
export interface Call {
  readonly context: Context
  readonly dialect: Dialect
  /** Empty where it is not known before the arguments are. */
  readonly name: string
  /** Where its mark stands. */
  readonly start: number
  /** A code fence stands around what follows the mark. */
  readonly isFenced: boolean
  /** The marks that end its arguments whatever their own state. */
  readonly closers: readonly string[]
}

/** What all readers of one answer share. */
export class Context {
  readonly source = new Source()
  readonly transcript = new Transcript()
  readonly names: ReadonlySet<string>
  readonly forms: Forms
  /** How the answer ended, once it has. */
  ending: Ending | undefined
  /** The answer was cut off inside something that had begun like a call. */
  wasOpen = false
  /** Closers that were sought up to the end of the answer and do not stand there: nobody need look again. */
  readonly missing = new Set<string>()
  /** Where calls begin that are followed by no end of a fence, by its character, and how long that fence is. */
  readonly endless = { 96: new Map<number, number>(), 126: new Map<number, number>() }
  /** A call that must fit its tool does not: it lacks what ends it. */
  isUnfit = false
  /** How far may be read of what is certain. */
  limit = Infinity
  /** So much was read once more for calls that could not be read. */
  readAgain = 0
  /** Characters behind arguments that were looked at to tell where these end. */
  lookedAhead = 0
  /** Tokens of arguments that could not be read. */
  readInVain = 0
  /** One call too many was begun, also of those that may turn out to be none: what follows is text. */
  isFull = false
  /** A call could not be read: what follows it may stand in one of its values. */
  isBroken = false
  /** Calls after the first were left out. */
  hasDropped = false
  /** The frame of the message to the user that is being read. */
  message: Frame | undefined
  /** A message to a tool was no call and is shown: so is its closer. Once that is there: what had been said by then. */
  shownMessage: 'open' | number | undefined
  /** How sure the mark is with which what is being read began. */
  trust: Trust = 'firm'
  readonly taught: Dialect | undefined
  /** The dialect of the last call. */
  spoken: Dialect | undefined

  readonly pen: Pen

  #decoy = false
  /** A call is held back that may only repeat the request. */
  #isComparing = false
  /** Where the last call ended that was told. */
  #toldTo = 0
  readonly #tools: ReadonlyMap<string, Tool>
  readonly #nodes = new Map<string, Node>()
  readonly #options: ReaderOptions

  constructor(forms: Forms, options: ReaderOptions) {
    this.#options = options
    this.forms = forms
    this.taught = options.dialect
    Object.assign(this.transcript, options.follows && { afterCall: true, completed: 1, ...options.follows })
    this.pen = {
      write: this.transcript.write,
      note: (kind, detail) => this.transcript.note(kind, detail),
      literal: forms.literal,
    }
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]))
    this.names = new Set(this.#tools.keys())
  }

  /** Without any tools declared, as when a text is only being explained, no name can be asked for. */
  get hasTools(): boolean {
    return this.names.size > 0
  }

  get isExcerpt(): boolean {
    return this.#options.isExcerpt === true
  }

  /** Whether the answer is over and nothing was cut off: what is complete may be closed for the model. */
  get endedWell(): boolean {
    return this.ending === 'stop' && !this.source.isAtLimit
  }

  /** What began like a call came to nothing: where the answer is over, it may have been cut off. */
  giveUp(): void {
    if (this.source.isOver) this.wasOpen ||= !this.endedWell
  }

  endCall(): void {
    this.pen.write('}')
    this.transcript.endCall()
    this.shownMessage = undefined
    if (!this.#isComparing) this.#toldTo = this.source.position
    if (this.#decoy) {
      this.#decoy = false
      this.transcript.drop()
      this.transcript.afterCall = true
      this.pen.note('decoy_dropped')
    }
    if (!this.transcript.holding) this.#stopAfterFirst()
  }

  /** Lets go of what was held back; of several calls only the first, where there may be but one. */
  release(note?: NoteKind): void {
    this.hasDropped = this.transcript.release(this.#isSingle)
    this.isBroken &&= this.transcript.holding
    if (note !== undefined) this.pen.note(note)
    if (!this.transcript.holding) this.#stopAfterFirst()
  }

  /** Calls that may only repeat the request were held back: they leave now, or are text if one of them does. */
  settleQuoted(start: number): void {
    if (!this.#isComparing) return
    this.#isComparing = false
    const isRepeated = this.transcript.heldCalls.some(({ name, json }) => this.#options.quoted?.has(name, json))
    if (!isRepeated) return this.release()
    const from = Math.max(start, this.#toldTo)
    this.transcript.drop()
    this.transcript.note('echo')
    this.transcript.trace?.refuse('echo', from)
    this.transcript.text(this.source.since(from))
  }

  /** What was held back to be compared turned out to be no call. */
  dropQuoted(): void {
    if (this.#isComparing) this.transcript.drop()
    this.#isComparing = false
  }

  get #isSingle(): boolean {
    const { parallel } = this.#options
    const isTaught = this.spoken?.name === this.taught?.name
    return parallel === false || (parallel === undefined && isTaught && this.taught?.grammar.single === true)
  }

  #stopAfterFirst(): void {
    if (this.#isSingle && this.transcript.completed > 0) throw finished
  }

  /** Whether this is a tool's name, or one that stands for no call. */
  isKnown(written: string, { grammar }: Dialect): boolean {
    return matchName(written, this.names) !== undefined || grammar.decoys?.includes(cleanName(written)) === true
  }

  /** The node of a tool's arguments, by the name the model wrote. */
  nodeOf(written: string): Node {
    return this.#nodeFor(matchName(written, this.names)?.name ?? '')
  }

  #nodeFor(name: string): Node {
    let node = this.#nodes.get(name)
    if (node === undefined) {
      const tool = this.#tools.get(name)
      node = compileParameters(tool?.parameters)
      // Names nobody declared are the model's to choose, so they are not kept.
      if (tool !== undefined) this.#nodes.set(name, node)
    }
    return node
  }

  /** How a result of this tool begins. */
  resultsOf(name: string): readonly string[] {
    return this.#options.results?.map((head) => head.replace('{name}', name)) ?? []
  }

  /** Whether only a known tool may be called by the mark that was read: one that is ordinary text proves nothing else. */
  wantsKnown({ grammar }: Dialect): boolean {
    return this.trust === 'unmarked' || (this.trust !== 'firm' && !hasNameMarks(grammar) && this.hasTools)
  }

  /** Whether a call may have this name: a tool's, one that stands for no call, or one that nobody declared. */
  mayBeCalled(written: string, dialect: Dialect): boolean {
    if (this.isKnown(written, dialect)) return true
    const policy = this.#options.unknownTools ?? 'auto'
    const passes = policy === 'call' || (policy === 'auto' && !hasNameMarks(dialect.grammar))
    const name = cleanName(written)
    const isName = dialect.grammar.nonNames?.includes(name) !== true && isPlainName(name)
    if (passes && isName && !this.wantsKnown(dialect)) return true
    this.transcript.trace?.refuse('no-tool')
    return false
  }

  /** What is being read is no call, for this reason. */
  refuse(why: Why): never {
    this.transcript.trace?.refuse(why)
    throw refuted
  }

  /** Begins a call and returns the node of its arguments, or refutes it: the name is no tool's and may not become one. */
  startCall(written: string, dialect: Dialect): Node {
    const decoy = dialect.grammar.decoys?.includes(cleanName(written)) === true && !this.names.has(written)
    if (decoy) {
      if (this.transcript.holding) throw refuted
      this.transcript.hold()
      this.#decoy = true
    }
    const match = matchName(written, this.names)
    const name = match?.name ?? cleanName(written)
    if (match === undefined && !this.mayBeCalled(written, dialect)) throw refuted
    this.isFull ||= this.transcript.calls >= mostCalls
    if (this.isFull) this.refuse('too-many')
    this.source.unlimit(this.limit)
    if (!this.#isComparing && this.#options.quoted?.mayHave(name) === true) {
      this.#isComparing = true
      this.transcript.hold()
    }
    this.transcript.startCall(this.#options.newId(), name)
    this.spoken = dialect
    if (match === undefined) this.pen.note('unknown_tool', name)
    else if (match.corrected) this.pen.note('name_corrected', `${written} to ${name}`)
    return this.#nodeFor(name)
  }
}
