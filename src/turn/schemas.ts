import { sha256Url } from '../bytes.ts'
import { isJsonObject } from '../protocol/json.ts'
import { createMemory } from '../protocol/memory/memory.ts'
import type { Tool } from '../protocol/tool.ts'
import { reduceSchema, type SchemaForm } from '../schema/reduce.ts'
import { createTerms } from './services/terms.ts'

/** Tools whose schemas a service would not take, by name, and the form it gets instead. */
export type Reduced = ReadonlyMap<string, SchemaForm>

/** Which schemas services would not take, and the form they took. All of it is forgotten in time. */
export interface SchemaRefusals {
  /** The ladder of one request, beginning where the last one with the same schemas ended. */
  ladder(tools: readonly Tool[], scope: string): SchemaLadder
}

/** The ladder of forms one request's tools are put in. */
export interface SchemaLadder {
  /** Undefined: no form of the schemas was taken, so the tools are told in words. */
  readonly form: Reduced | undefined
  /** The service refused the schema of a tool, with these words: the next form. */
  refuse(words: string): void
  /** An answer came: what it took is remembered. */
  confirm(): void
}

const refusedForMs = 3_600_000
/** So many tools are tried by themselves before all of them are put in a plainer form. */
const mostAlone = 8
const maxScopes = 500

export function createSchemaRefusals(now: () => number): SchemaRefusals {
  const known = createTerms<SchemaForm | 'words'>(now)
  // Nothing is hashed for services that take all schemas.
  const scopes = createMemory<true>({ entries: maxScopes })

  return {
    ladder(tools, scope) {
      const keyOf = (schemas: unknown) => `${sha256Url(JSON.stringify(schemas))} ${scope}`
      const keyOfAll = () => keyOf(tools.map(({ parameters }) => parameters))
      let form: Reduced | undefined = new Map()
      if (scopes.get(scope) === true) {
        const forms = tools.flatMap(({ name, parameters }): [string, SchemaForm][] => {
          const learnt = known.known(keyOf(parameters))
          return learnt === undefined || learnt === 'words' ? [] : [[name, learnt]]
        })
        form = known.known(keyOfAll()) === 'words' ? undefined : new Map(forms)
      }
      let steps: Iterator<Reduced> | undefined
      return {
        get form() {
          return form
        },
        refuse(words) {
          steps ??= formsBelow(tools, form ?? new Map(), toolIn(words, tools))
          form = steps.next().value
        },
        confirm() {
          if (steps === undefined) return
          scopes.set(scope, true)
          if (form === undefined) known.learn(keyOfAll(), 'words', refusedForMs)
          for (const { name, parameters } of tools) {
            const taken = form?.get(name)
            if (taken !== undefined) known.learn(keyOf(parameters), taken, refusedForMs)
          }
        },
      }
    },
  }
}

/** The tools with their schemas in the forms that were settled on. */
export function reduceTools(tools: readonly Tool[], reduced: Reduced | undefined): readonly Tool[] {
  if (reduced === undefined || reduced.size === 0) return tools
  return tools.map((tool) => {
    const form = reduced.get(tool.name)
    return form === undefined ? tool : reduceTool(tool, form)
  })
}

function reduceTool(tool: Tool, form: SchemaForm): Tool {
  const { strict: _, ...rest } = tool
  return isJsonObject(tool.parameters) ? { ...rest, parameters: reduceSchema(tool.parameters, form) } : tool
}

/** The forms to try, each only where it changes what was refused. */
function* formsBelow(tools: readonly Tool[], refused: Reduced, named: Tool | undefined): Generator<Reduced, undefined> {
  const tried = new Set([toText(tools, refused)])
  const isNew = (forms: Reduced): boolean => tried.size < tried.add(toText(tools, forms)).size
  const withForm = (forms: Reduced, some: readonly Tool[], form: SchemaForm): Reduced =>
    new Map([...forms, ...some.filter((tool) => isChanged(tool, form)).map(({ name }) => [name, form] as const)])

  const mended = withForm(refused, tools, 'valid')
  const suspects = tools
    .filter((tool) => isChanged(tool, 'plain'))
    .toSorted((a, b) => lossOf(b, 'plain') - lossOf(a, 'plain'))
  const alone = named === undefined ? suspects.slice(0, mostAlone) : [named]
  const plain = withForm(mended, tools, 'plain')
  const ladder = [
    mended,
    ...alone.map((tool) => withForm(mended, [tool], 'plain')),
    ...(named === undefined ? [] : [withForm(mended, [named], 'types')]),
    plain,
    withForm(plain, tools, 'types'),
  ]
  for (const forms of ladder) if (isNew(forms)) yield forms
  return undefined
}

const toText = (tools: readonly Tool[], forms: Reduced): string =>
  JSON.stringify(reduceTools(tools, forms).map(({ parameters }) => parameters))

function isChanged(tool: Tool, form: SchemaForm): boolean {
  return JSON.stringify(reduceTool(tool, form).parameters) !== JSON.stringify(tool.parameters)
}

/** How much of a schema a form leaves out, in characters. */
function lossOf(tool: Tool, form: SchemaForm): number {
  return JSON.stringify(tool).length - JSON.stringify(reduceTool(tool, form)).length
}

/** The one tool a refusal names, or gives the place of. */
function toolIn(words: string, tools: readonly Tool[]): Tool | undefined {
  const place = /\btools?\W{0,2}(\d+)\b/i.exec(words)?.[1]
  if (place !== undefined) return tools[Number(place)]
  const said = new Set(words.split(/[^\w-]+/))
  const found = tools.filter(({ name }) => said.has(name))
  return found.length === 1 ? found[0] : undefined
}
