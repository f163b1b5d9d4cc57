import type { Json, JsonObject, JsonSchema } from './json.ts'

/** A tool the client offers. `custom` tools take one free text instead of JSON arguments. */
export interface Tool {
  readonly kind: 'function' | 'custom'
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments; absent means the tool takes none. */
  readonly parameters?: JsonSchema
  readonly strict?: boolean
  /** It is not told before a search finds it: the client left that to the service. */
  readonly isDeferred?: boolean
  /** Arguments of good calls, as the client gave them. */
  readonly examples?: readonly JsonObject[]
  /** What the text of a custom tool must look like, as the client declared it. */
  readonly format?: Json
}

/** A tool that its vendor's own service runs, such as a web search, by the name or the type the client knows it by. */
export interface HostedTool {
  readonly kind: 'hosted'
  readonly name: string
}

/** Whether and which tool must be called. */
export type ToolChoice =
  | { readonly mode: 'auto' | 'none' | 'required' }
  | { readonly mode: 'named'; readonly name: string }
  | { readonly mode: 'allowed'; readonly required: boolean; readonly names: readonly string[] }

/** Whether the client insists on a call. */
export function isForced(choice: ToolChoice | undefined): boolean {
  return choice?.mode === 'required' || choice?.mode === 'named' || (choice?.mode === 'allowed' && choice.required)
}

interface Offered {
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice | undefined
}

/** The tools that the choice leaves; with `none`, which forbids calls and not tools, all of them. */
export function callableTools({ tools, toolChoice }: Offered): readonly Tool[] {
  if (toolChoice?.mode === 'named') return tools.filter(({ name }) => name === toolChoice.name)
  if (toolChoice?.mode === 'allowed') return tools.filter(({ name }) => toolChoice.names.includes(name))
  return tools
}
