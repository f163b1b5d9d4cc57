import { callsOf, type Message, textOf } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Tool } from '../../../protocol/tool.ts'
import type { TurnCache } from '../../cache.ts'
import type { ModelSettings } from '../../settings.ts'
import { introducedLater } from '../history/history.ts'
import type { ListingStyle } from '../teach/shorten.ts'
import { type Catalog, charactersPerToken, createCatalog, indexTools, sum, type ToolIndex } from './catalog.ts'
import { searchTool, withNames } from './find-tools.ts'

/** What of a request's tools a model is told. */
export interface Offer {
  /** Those that the prompt begins with, in the client's order, and then those that come later, in theirs. */
  readonly tools: readonly Tool[]
  /** The conversation, with the tools that come later where they come. */
  readonly messages: readonly Message[]
  readonly style: ListingStyle
  /** Fewer tools than there are: a search finds the others. */
  readonly isPart: boolean
}

type Settings = Pick<ModelSettings, 'listing' | 'toolsBudget'>

/** So much of the budget is for what the prompt begins with, so much for the names of the others; the rest is for what comes later. */
const openingShare = 0.75
const namesShare = 0.1
const longestNames = 1_200
/** What the user says next brings in so many at most. */
const mostAtOnce = 3
const mostFound = 5

/**
 * The tools a model is told: all of them where they fit the budget, shorter where that is what it takes; else those that
 * have to do with what the user says. What the prompt begins with depends on what was said before the first answer alone, and
 * what is added stands where it came, so that every prompt is the beginning of the next one.
 */
export function offerTools(request: Request, settings: Settings, cache: TurnCache | undefined): Offer {
  const { messages } = request
  const { toolsBudget: budget } = settings
  const tools = withoutSearch(request)
  const hasDeferred = tools.some(({ isDeferred }) => isDeferred === true)
  const styles = stylesOf(settings)
  const [usual = 'full'] = styles
  if (budget === undefined && !hasDeferred) return { tools, messages, style: usual, isPart: false }
  const catalog = catalogOf(tools, cache)
  const late = new Set(introducedLater(messages))
  const early = tools.filter(({ name, isDeferred }) => isDeferred !== true && !late.has(name))
  const limit = typeof budget === 'string' ? Number.parseInt(budget, 10) : budget
  const costIn = (style: ListingStyle) => (typeof budget === 'string' ? () => 1 : catalog.costIn(style))
  const fitting = styles.find((style) => limit === undefined || sum(early.map(costIn(style))) <= limit)
  if (fitting !== undefined && !hasDeferred) return { tools, messages, style: fitting, isPart: false }
  const style = fitting ?? styles.at(-1) ?? usual
  return choose(request, {
    tools,
    early,
    late,
    // What comes later must not change what came before it.
    index: early.length === tools.length ? catalog.index() : indexTools(early),
    cost: costIn(style),
    room: fitting === undefined ? limit : undefined,
    namesLength: typeof budget === 'number' ? budget * charactersPerToken * namesShare : longestNames,
    style,
  })
}

/** The request with a search for tools in it, where some of its tools are not told. */
export function withSearch(request: Request, settings: Settings, cache: TurnCache | undefined): Request {
  const { tools, toolChoice } = request
  const isChosen = toolChoice !== undefined && toolChoice.mode !== 'auto' && toolChoice.mode !== 'required'
  if (tools.length === 0 || isChosen || !offerTools(request, settings, cache).isPart) return request
  const search = searchTool(tools)
  return { ...request, tools: [...tools, search], search: search.name }
}

/** The tools that fit a search best and were not told before. */
export function findTools(
  request: Request,
  told: readonly Tool[],
  query: string,
  cache: TurnCache | undefined,
): readonly Tool[] {
  const tools = withoutSearch(request)
  const known = new Set(told.map(({ name }) => name))
  const found = catalogOf(tools, cache)
    .index()
    .rank(query)
    .filter((name) => !known.has(name))
  return found.slice(0, mostFound).flatMap((name) => tools.find((tool) => tool.name === name) ?? [])
}

function withoutSearch({ tools, search }: Request): readonly Tool[] {
  return search === undefined ? tools : tools.filter(({ name }) => name !== search)
}

function stylesOf({ listing }: Settings): readonly ListingStyle[] {
  return listing === 'auto' || listing === 'full' ? ['full', 'short'] : [listing]
}

interface Choosing {
  readonly tools: readonly Tool[]
  /** Those the prompt may begin with. */
  readonly early: readonly Tool[]
  /** The names of those the client brings in later. */
  readonly late: ReadonlySet<string>
  readonly index: ToolIndex
  readonly cost: (tool: Tool) => number
  /** None: there is room for all the prompt may begin with. */
  readonly room: number | undefined
  /** So many characters are for the names of the others. */
  readonly namesLength: number
  readonly style: ListingStyle
}

function choose({ messages, tools: all, search, toolChoice }: Request, choosing: Choosing): Offer {
  const { tools, early, late, index, cost, room, namesLength, style } = choosing
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const toolsBy = (names: readonly string[]) => names.flatMap((name) => byName.get(name) ?? [])
  const told = new Set<Tool>()
  let spent = 0

  /** Those of these that were not told before, as far as there is room. */
  function tell(some: readonly Tool[], most = Number.POSITIVE_INFINITY): readonly Tool[] {
    return some.filter((tool) => {
      if (told.has(tool) || spent + cost(tool) > most) return false
      told.add(tool)
      spent += cost(tool)
      return true
    })
  }

  const mayBegin = new Set(early)
  const relevant = (text: string) =>
    room === undefined ? [] : toolsBy(index.rank(text)).filter((tool) => mayBegin.has(tool))
  const namedIn = (text: string) => toolsBy((text.match(/[\w-]+(?:\.[\w-]+)*/g) ?? []).filter(isUnmistakable))
  const chosen = toolsBy(
    toolChoice?.mode === 'named' ? [toolChoice.name] : toolChoice?.mode === 'allowed' ? toolChoice.names : [],
  )

  const answered = messages.findIndex(({ role }) => role === 'assistant')
  const opening = answered === -1 ? messages : messages.slice(0, answered)
  if (answered === -1) tell(chosen)
  for (const { content } of opening) tell(namedIn(textOf(content)))
  const asked = opening.flatMap(({ role, content }) => (role === 'user' ? [textOf(content)] : [])).join('\n')
  tell([...relevant(asked), ...early], room === undefined ? undefined : Math.ceil(room * openingShare))
  const begun = tools.filter((tool) => told.has(tool))

  let called: readonly Tool[] = []
  const later: Tool[] = []
  const conversation = messages.map((message, place): Message => {
    if (answered === -1 || place < answered) return message
    if (message.role === 'assistant') {
      called = [...called, ...toolsBy(callsOf(message).map(({ name }) => name))]
      return message
    }
    const text = textOf(message.content)
    const added = [
      ...tell([...called, ...toolsBy(message.introduces ?? []), ...(place === messages.length - 1 ? chosen : [])]),
      ...tell(namedIn(text), message.role === 'tool' ? room : undefined),
      ...(message.role === 'user' ? tell(relevant(text).slice(0, mostAtOnce), room) : []),
    ]
    called = []
    later.push(...added)
    return added.length === 0 ? message : { ...message, introduces: added.map(({ name }) => name) }
  })
  const others = tools.filter((tool) => !begun.includes(tool) && !late.has(tool.name))
  const searching = others.length === 0 ? [] : all.filter(({ name }) => name === search)
  return {
    tools: [
      ...begun,
      ...searching.map((tool) => withNames(tool, others, Math.min(namesLength, longestNames))),
      ...later,
    ],
    messages: conversation,
    style,
    isPart: others.length > 0,
  }
}

/** No ordinary word: where it stands, the tool is meant. */
function isUnmistakable(name: string): boolean {
  return /[_.\d-]|\p{Ll}\p{Lu}/u.test(name)
}

function catalogOf(tools: readonly Tool[], cache: TurnCache | undefined): Catalog {
  const create = () => createCatalog(tools)
  return cache?.catalogs.recall(JSON.stringify(tools), create) ?? create()
}
