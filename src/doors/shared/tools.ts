import { sha256Hex } from '../../bytes.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

/** An API whose clients write tools and choices in a form of its own. */
export type Api = 'chat' | 'responses' | 'messages'

interface Form {
  readonly of: string
  readonly written: string
}

const toolForms = {
  chat: {
    of: "OpenAI's chat completions",
    written: '{"type": "function", "function": {"name", "description", "parameters"}}',
  },
  responses: { of: "OpenAI's Responses", written: '{"type": "function", "name", "description", "parameters"}' },
  messages: { of: "Anthropic's Messages", written: '{"name", "description", "input_schema"}' },
  functions: { of: "OpenAI's older 'functions'", written: '{"name", "description", "parameters"}' },
  mcp: { of: 'the Model Context Protocol', written: '{"name", "description", "inputSchema"}' },
  gemini: { of: "Gemini's API", written: '{"functionDeclarations": [{"name", "parameters"}]}' },
} as const satisfies Record<string, Form>

function toolFormOf(tool: JsonObject): keyof typeof toolForms | undefined {
  if (isJsonObject(tool['function'])) return 'chat'
  if (tool['input_schema'] !== undefined) return 'messages'
  if (tool['inputSchema'] !== undefined) return 'mcp'
  if (tool['functionDeclarations'] !== undefined || tool['function_declarations'] !== undefined) return 'gemini'
  if (tool['type'] === 'function') return 'responses'
  return tool['type'] === undefined && tool['parameters'] !== undefined ? 'functions' : undefined
}

/** Both forms, where a tool has one of another API: a sentence to follow what is wrong with it. Empty where it has none. */
export function nameToolForms(tool: JsonObject, here: Api): string {
  const form = toolFormOf(tool)
  return form === here ? '' : nameForms(form && toolForms[form], toolForms[here], 'tool')
}

const choiceForms: Readonly<Record<Api, Form>> = {
  chat: {
    of: "OpenAI's chat completions",
    written: '"auto", "none", "required" or {"type": "function", "function": {"name"}}',
  },
  responses: { of: "OpenAI's Responses", written: '"auto", "none", "required" or {"type": "function", "name"}' },
  messages: { of: "Anthropic's Messages", written: '{"type": "auto" | "any" | "none"} or {"type": "tool", "name"}' },
}

/** The APIs that write a choice so. */
function choiceFormsOf(choice: unknown): readonly Api[] {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return ['chat', 'responses']
  if (!isJsonObject(choice)) return []
  const { type } = choice
  if (type === 'function') return [isJsonObject(choice['function']) ? 'chat' : 'responses']
  return type === 'auto' || type === 'any' || type === 'none' || type === 'tool' ? ['messages'] : []
}

/** The same for a choice of tools; undefined where its form is the one of this API, or of none. */
export function nameChoiceForms(choice: unknown, here: Api): string | undefined {
  const [form, ...others] = choiceFormsOf(choice)
  if (form === undefined || form === here || others.includes(here)) return undefined
  return nameForms(choiceForms[form], choiceForms[here], 'tool choice').trim()
}

function nameForms(form: Form | undefined, own: Form, what: string): string {
  const written = form === undefined ? '' : ` This one is written as for ${form.of} (${form.written}).`
  return `${written} Here, a ${what} is ${own.written}.`
}

const longest = 64
const allowed = /^[a-zA-Z0-9_-]{1,64}$/

/** The names of tools as services take them, and back as the client wrote them. */
export interface ToolNames {
  toInner(name: string): string
  toOuter(name: string): string
}

/** Made of one request alone. A name is never taken apart on its way back: it is looked up. */
export function createToolNames(): ToolNames {
  const outer = new Map<string, string>()
  return {
    toInner(name) {
      const inner = toAllowed(name)
      outer.set(inner, name)
      return inner
    },
    toOuter: (name) => outer.get(name) ?? name,
  }
}

/** A name as services take it. */
export function toAllowed(name: string, key = name): string {
  return allowed.test(name) ? name : hashed(name, key)
}

/** As much of a name as there is room for, and what tells it from all others. */
export function hashed(name: string, key: string): string {
  const hash = sha256Hex(key).slice(0, 8)
  return `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, longest - hash.length - 1)}_${hash}`
}
