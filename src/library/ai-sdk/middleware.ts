import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { Dialect } from '../../dialects/dialect.ts'
import { dialectFor } from '../../dialects/registry.ts'
import { argumentsKey, toAnswerSchema } from '../../engine/constrain/answer-schema.ts'
import type { Reader } from '../../engine/lean-reader.ts'
import type { Note } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { Tool, ToolChoice } from '../../protocol/tool.ts'
import { sayFormat } from '../../turn/prompt/force/format.ts'
import { askIn } from '../ask.ts'
import { pickDialect } from '../full.ts'
import { createContentPrinter, createPartPrinter, toEnding, toFinish } from './parts.ts'
import { createOtherParts, fromPrompt, toPrompt } from './prompt.ts'

type Options = LanguageModelV4CallOptions

/** How tools reach the model. */
export interface ToolMiddlewareOptions {
  /** The dialect they are taught in. Default: `auto`, by the id of the model. */
  readonly dialect?: string | Dialect | undefined
  /** False: the model's template has no system role (Gemma by Gemini's API). Default: true. */
  readonly systemRole?: boolean | undefined
  /** False: at most one call an answer. Default: as many as the dialect has. */
  readonly parallel?: boolean | undefined
  /** Where answers begin: inside a thought when the prompt opens one. Default: `text`. */
  readonly startsIn?: 'text' | 'reasoning' | undefined
  /**
   * How a call that `toolChoice` insists on is made sure of: by `words`, or by a JSON `schema` for the answer, where the
   * provider holds to it. Default: `words`.
   */
  readonly force?: 'words' | 'schema' | undefined
  /** Is told what was repaired, held or dropped. */
  readonly onNote?: ((note: Note) => void) | undefined
  /** Makes the id of a call. Default: `call_` and 24 random letters. */
  readonly newId?: (() => string) | undefined
}

/**
 * A middleware for the AI SDK that gives any model tool calls: `wrapLanguageModel({ model, middleware: toolMiddleware() })`.
 * Tools are taught in the prompt, calls are read out of the answer while it streams, and earlier calls and results are told
 * in the dialect. Tools that the provider runs itself are left to it.
 */
export function toolMiddleware(options: ToolMiddlewareOptions = {}): LanguageModelV4Middleware {
  const { onNote = () => undefined } = options
  return {
    specificationVersion: 'v4',

    async wrapGenerate({ doGenerate, params, model }) {
      const asked = prepare(params, model.modelId, options)
      if (asked === undefined) return await doGenerate()
      const result = await model.doGenerate(asked.params)
      const reader = asked.createReader()
      const printer = createContentPrinter(onNote)
      for (const part of result.content) {
        if (isPlain(part)) printer.print(reader.push(part.text))
        else printer.pass(part)
      }
      printer.print(reader.end(toEnding(result.finishReason)))
      return { ...result, content: printer.content, finishReason: toFinish(result.finishReason, printer.calls) }
    },

    async wrapStream({ doStream, params, model }) {
      const asked = prepare(params, model.modelId, options)
      if (asked === undefined) return await doStream()
      const result = await model.doStream(asked.params)
      return { ...result, stream: result.stream.pipeThrough(readParts(asked.createReader(), onNote)) }
    },
  }
}

/** Text of the answer; what has metadata of its own goes through as it is. */
function isPlain(part: LanguageModelV4Content): part is Extract<LanguageModelV4Content, { type: 'text' }> {
  return part.type === 'text'
}

interface Prepared {
  readonly params: Options
  createReader(): Reader
}

/** The question as the model gets it; undefined where it has nothing to do with tools. */
function prepare(params: Options, modelId: string, options: ToolMiddlewareOptions): Prepared | undefined {
  const functions = (params.tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool] : []))
  const others = (params.tools ?? []).filter(({ type }) => type !== 'function')
  const tools = functions.map(
    ({ name, description, inputSchema, strict }): Tool => ({
      kind: 'function',
      name,
      parameters: inputSchema as unknown as Exclude<Tool['parameters'], undefined>,
      ...(description !== undefined && { description }),
      ...(strict !== undefined && { strict }),
    }),
  )
  if (tools.length === 0 && !hasCalls(params)) return undefined
  const otherParts = createOtherParts()
  const choice = toChoice(params.toolChoice)
  const isCallable = tools.length > 0 && choice?.mode !== 'none'
  const forced = isCallable && options.force === 'schema' && (choice?.mode === 'required' || choice?.mode === 'named')
  const dialect =
    options.dialect === undefined || options.dialect === 'auto' ? dialectFor(modelId) : pickDialect(options.dialect)
  const asked = askIn(fromPrompt(params.prompt, otherParts), {
    dialect,
    tools,
    choice,
    systemRole: options.systemRole,
    parallel: options.parallel,
    startsIn: options.startsIn,
    newId: options.newId,
    words: forced
      ? `Write the call as nothing but one JSON object with its "name" and its "${argumentsKey}".`
      : sayFormat(toFormat(params.responseFormat)),
    ...(forced && { reading: pickDialect('json-bare') }),
  })
  const { tools: _tools, toolChoice, responseFormat, ...rest } = params
  const callable = choice?.mode === 'named' ? tools.filter(({ name }) => name === choice.name) : tools
  // Beside taught tools a format for the whole answer would forbid calls: it was said in words.
  const format = forced ? schemaFor(callable) : isCallable ? undefined : responseFormat
  return {
    params: {
      ...rest,
      prompt: toPrompt(asked.messages, otherParts, params.prompt),
      ...(others.length > 0 && {
        tools: others,
        ...(toolChoice !== undefined && { toolChoice: leftOver(toolChoice, others) }),
      }),
      ...(format !== undefined && { responseFormat: format }),
    },
    createReader: asked.createReader,
  }
}

function schemaFor(tools: readonly Tool[]): Exclude<Options['responseFormat'], undefined> {
  const schema = toAnswerSchema(tools) as Exclude<
    Extract<Options['responseFormat'], { type: 'json' }>['schema'],
    undefined
  >
  return { type: 'json', name: 'call', schema }
}

/** What the provider is told to choose from tools of its own: the choice of a taught one is not its business. */
function leftOver(choice: Exclude<Options['toolChoice'], undefined>, others: readonly { readonly name: string }[]) {
  const isOwn = choice.type !== 'tool' || others.some(({ name }) => name === choice.toolName)
  return isOwn && choice.type !== 'required' ? choice : ({ type: 'auto' } as const)
}

function toChoice(choice: Options['toolChoice']): ToolChoice | undefined {
  if (choice === undefined) return undefined
  return choice.type === 'tool' ? { mode: 'named', name: choice.toolName } : { mode: choice.type }
}

function toFormat(format: Options['responseFormat']): Json | undefined {
  if (format?.type !== 'json') return undefined
  return format.schema === undefined
    ? { type: 'json_object' }
    : { type: 'json_schema', json_schema: { schema: format.schema as unknown as Json } }
}

/** Whether earlier calls have to be told in words. */
function hasCalls({ prompt }: Options): boolean {
  return prompt.some(
    ({ role, content }) =>
      role === 'tool' ||
      (role === 'assistant' && content.some((part) => part.type === 'tool-call' && part.providerExecuted !== true)),
  )
}

function readParts(
  reader: Reader,
  onNote: (note: Note) => void,
): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const printer = createPartPrinter(onNote)
  let isOver = false

  function read(part: LanguageModelV4StreamPart): readonly LanguageModelV4StreamPart[] {
    switch (part.type) {
      case 'text-start':
      case 'text-end':
        return []
      case 'text-delta':
        return printer.print(reader.push(part.delta))
      case 'finish': {
        isOver = true
        const rest = [...printer.print(reader.end(toEnding(part.finishReason))), ...printer.close()]
        return [...rest, { ...part, finishReason: toFinish(part.finishReason, printer.calls) }]
      }
      case 'stream-start':
      case 'response-metadata':
      case 'raw':
      case 'ping':
        return [part]
      default:
        return [...printer.close(), part]
    }
  }

  return new TransformStream({
    transform(part, controller) {
      for (const made of read(part)) controller.enqueue(made)
    },
    flush(controller) {
      if (isOver) return
      for (const made of [...printer.print(reader.end('died')), ...printer.close()]) controller.enqueue(made)
    },
  })
}
