import type { Dialect } from '../dialects/dialect.ts'
import type { NoteKind } from '../protocol/note.ts'
import type { Tool } from '../protocol/tool.ts'
import { compileParameters } from '../schema/compile.ts'
import type { Node } from '../schema/node.ts'
import { cleanName, isPlainName, matchName } from './names.ts'
import type { Pen } from './pen.ts'
import { Source } from './source.ts'
import { Transcript } from './transcript.ts'

/** Thrown by a reader when what it began to read turns out to be no call; nothing has been said of it yet. */
export const refuted = Symbol('refuted')

/** Thrown when no more may be read of this answer: it had its one call. */
export const finished = Symbol('finished')

export type Ending = 'stop' | 'length' | 'content_filter' | 'died'

/** The calls of a request. */
export interface Quoted {
  /** Whether there is any of this tool: then a call of it must wait until it can be compared. */
  mayHave(name: string): boolean
  has(name: string, json: string): boolean
}

export interface ContextOptions {
  readonly tools: readonly Tool[]
  readonly unknownTools: 'auto' | 'call' | 'text'
  readonly newId: () => string
  /** False: one call an answer. Undefined: as many as the dialect teaches. */
  readonly parallel: boolean | undefined
  readonly quoted?: Quoted | undefined
}

/** What all readers of one answer share. */
export class Context {
  readonly source = new Source()
  readonly transcript = new Transcript()
  readonly names: ReadonlySet<string>
  /** How the answer ended, once it has. */
  ending: Ending | undefined
  /** The answer was cut off inside something that had begun like a call. */
  wasOpen = false
  /** Closers that were sought up to the end of the answer and do not stand there: nobody need look again. */
  readonly missing = new Set<string>()
  /** Calls after the first were left out. */
  hasDropped = false
  /** Inside a message that only its closer ends. */
  inMessage = false
  /** What is being read began with a mark that may as well be ordinary text. */
  onFaintMark = false
  /** The dialect of the last call. */
  spoken: Dialect | undefined

  readonly pen: Pen = {
    write: this.transcript.write,
    note: (kind, detail) => this.transcript.note(kind, detail),
  }

  /** Held back since a call that may only repeat the request. */
  isSuspicious = false
  /** Where the last call that was told ended. */
  toldUpTo = 0

  #decoy = false
  readonly #tools: ReadonlyMap<string, Tool>
  readonly #options: ContextOptions

  constructor(options: ContextOptions) {
    this.#options = options
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]))
    this.names = new Set(this.#tools.keys())
  }

  /** Without any tools declared, as when a text is only being explained, no name can be asked for. */
  get hasTools(): boolean {
    return this.names.size > 0
  }

  /** Whether the answer is over and nothing was cut off: what is complete may be closed for the model. */
  get endedWell(): boolean {
    return this.ending === 'stop'
  }

  endCall(): void {
    this.pen.write('}')
    this.transcript.endCall()
    if (this.#decoy) {
      this.#decoy = false
      this.transcript.drop()
      this.transcript.afterCall = true
      this.pen.note('decoy_dropped')
    }
    if (this.transcript.holding) return
    this.toldUpTo = this.source.position
    this.#stopAfterFirst()
  }

  /** Whether what is held back has a call of the request in it. */
  get hasQuoted(): boolean {
    const { quoted } = this.#options
    return quoted !== undefined && this.transcript.heldCalls().some(({ name, json }) => quoted.has(name, json))
  }

  /** Lets go of what was held back; of several calls only the first, where there may be but one. */
  release(note?: NoteKind): void {
    this.hasDropped = this.transcript.release(this.#isSingle)
    if (note !== undefined) this.pen.note(note)
    this.#stopAfterFirst()
  }

  get #isSingle(): boolean {
    const { parallel } = this.#options
    return parallel === false || (parallel === undefined && this.spoken?.grammar.single === true)
  }

  #stopAfterFirst(): void {
    if (this.#isSingle && this.transcript.completed > 0) throw finished
  }

  /** The one tool that takes exactly these keys. */
  nameFor(keys: readonly string[]): string | undefined {
    const fits = [...this.#tools.values()].filter((tool) => {
      const node = compileParameters(tool.parameters)
      return keys.every((key) => node.hasProperty(key)) && node.required.every((key) => keys.includes(key))
    })
    return fits.length === 1 ? fits[0]?.name : undefined
  }

  /** Whether this is a tool's name, or one that stands for no call. */
  isKnown(written: string, { grammar }: Dialect): boolean {
    return matchName(written, this.names) !== undefined || grammar.decoys?.includes(cleanName(written)) === true
  }

  /** The node of a tool's arguments, by the name the model wrote. */
  nodeOf(written: string): Node {
    return compileParameters(this.#tools.get(matchName(written, this.names)?.name ?? '')?.parameters)
  }

  /** Whether only a known tool may be called by the mark that was read: one that is ordinary text proves nothing else. */
  wantsKnown({ grammar }: Dialect): boolean {
    return this.onFaintMark && grammar.nameIsMark !== true && this.hasTools
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
    let name = match?.name
    if (name === undefined) {
      const { nameIsMark } = dialect.grammar
      const policy = this.#options.unknownTools
      const passes = policy === 'call' || (policy === 'auto' && nameIsMark !== true)
      name = cleanName(written)
      if (!decoy && (this.wantsKnown(dialect) || !passes || !isPlainName(name))) throw refuted
    }
    if (!this.transcript.holding && this.#options.quoted?.mayHave(name) === true) {
      this.transcript.hold()
      this.isSuspicious = true
    }
    this.transcript.startCall(this.#options.newId(), name)
    this.spoken = dialect
    if (match === undefined) this.pen.note('unknown_tool', name)
    else if (match.corrected) this.pen.note('name_corrected', `${written} to ${name}`)
    return compileParameters(this.#tools.get(name)?.parameters)
  }
}
