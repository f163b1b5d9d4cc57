import type { Dialect } from '../dialects/dialect.ts'
import type { Reader } from '../engine/lean-reader.ts'
import type { Event } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'
import { callableTools, type Tool, type ToolChoice } from '../protocol/tool.ts'
import { createQuotedCalls } from '../turn/answer/quoted/quoted.ts'
import { createGuard } from '../turn/prompt/guard/guard.ts'
import { guardedMarksFor } from '../turn/prompt/guard/guarded-marks.ts'
import { openingTexts, printHistory } from '../turn/prompt/history/history.ts'
import { normalise } from '../turn/prompt/history/normalise.ts'
import { printDirectives, teach } from '../turn/prompt/teach/teach.ts'
import { createReader, type DialectOptions, pickDialect } from './full.ts'
import { type MessageLike, type PlainMessage, toMessages, toPlain } from './messages.ts'
import { eventsOf, type PieceStream } from './reading.ts'
import { type ToolChoiceLike, type ToolLike, toChoice, toTools } from './tools.ts'

/** One question to a model that knows words only. */
export interface AskOptions extends DialectOptions {
  readonly tools: readonly ToolLike[]
  /** Whether and which tool must be called. Default: `auto`. */
  readonly choice?: ToolChoiceLike | undefined
  /** False: at most one call. Default: as many as the dialect has. */
  readonly parallel?: boolean | undefined
  /** False: the model's template has no system role. Default: true. */
  readonly systemRole?: boolean | undefined
  /** Where the answer begins: inside a thought when the prompt opens one. Default: `text`. */
  readonly startsIn?: 'text' | 'reasoning' | undefined
  /** Makes the id of a call. Default: `call_` and 24 random letters. */
  readonly newId?: (() => string) | undefined
}

/** What to send to the model, and how to read what it says. */
export interface Ask {
  /** The tools taught, the conversation told in the dialect: to be sent as it is. */
  readonly messages: PlainMessage[]
  /** A reader for one answer to it. */
  createReader(): Reader
  /** The events of one answer, while they come. */
  read(stream: PieceStream): AsyncGenerator<Event, void>
}

/** What was made of a conversation, in the engine's own words. */
export interface Asked {
  readonly messages: readonly Message[]
  createReader(): Reader
}

interface Asking extends Omit<AskOptions, 'tools' | 'choice' | 'dialect'> {
  readonly dialect: Dialect
  readonly tools: readonly Tool[]
  readonly choice: ToolChoice | undefined
  /** What else the model is told, after the tools. */
  readonly words?: string | undefined
  /** The dialect of the answer, where that is another one than the one taught. */
  readonly reading?: Dialect | undefined
}

/** Teaches, tells the history, and makes the reader of the answer. */
export function askIn(messages: readonly Message[], options: Asking): Asked {
  const { dialect, tools, choice, reading = dialect } = options
  const callable = choice?.mode === 'none' ? [] : callableTools({ tools, toolChoice: choice })
  const guard = createGuard(guardedMarksFor(dialect, tools))
  const spoken = printHistory({ messages, tools }, dialect, guard)
  const onlyOne = options.parallel === false && dialect.grammar.single !== true
  const isTaught = callable.length > 0
  const directives = isTaught
    ? [printDirectives(choice, onlyOne), options.words ?? ''].filter((directive) => directive !== '')
    : []
  const said = [...openingTexts(messages), isTaught ? teach(dialect, tools) : '', directives.join(' ')].filter(
    (text) => text !== '',
  )
  const template = { system: options.systemRole ?? true, alternate: false }

  return {
    messages: normalise(guard.keep(said.join('\n\n')), spoken, template),
    createReader() {
      const reader = createReader({
        dialect: reading,
        tools: callable,
        parallel: options.parallel,
        startsIn: options.startsIn,
        newId: options.newId,
        // Where the tools that count are named, or none do, a call of any other is no call.
        unknownTools: choice?.mode === 'named' || choice?.mode === 'allowed' || !isTaught ? 'text' : 'auto',
        quoted: createQuotedCalls({ messages }, callable),
      })
      const restore = guard.createRestore()
      return {
        push: (text) => restore.push(reader.push(text)),
        end: (how) => restore.push(reader.end(how)),
        get done() {
          return reader.done
        },
        get spoken() {
          return reader.spoken
        },
        get work() {
          return reader.work
        },
      }
    },
  }
}

/**
 * A conversation with tools, ready for a model without: teaches, tells the history, and reads the answer. Marks in what users
 * and tools said are broken on the way there and put right on the way back, and a call that only repeats one of them is text,
 * so that only the model can make a call.
 */
export function ask(messages: readonly MessageLike[], { tools, dialect, choice, ...options }: AskOptions): Ask {
  const asked = askIn(toMessages(messages), {
    ...options,
    dialect: pickDialect(dialect),
    tools: toTools(tools),
    choice: toChoice(choice),
  })
  return {
    messages: toPlain(asked.messages),
    createReader: asked.createReader,
    read: (stream) => eventsOf(asked.createReader(), stream),
  }
}
