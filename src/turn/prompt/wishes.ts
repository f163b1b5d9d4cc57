import type { ToolChoice } from '../../protocol/tool.ts'

const mustCall = 'Your next answer must call a tool.'
const mustCallOneOfThem = 'Your next answer must call one of them.'
const onlyOneCall = 'Call at most one tool in an answer.'

/**
 * What the client asks of this one answer, in words. It stands after the taught tools and not among them: the wish may
 * change from turn to turn, the tools before it stay the same bytes.
 */
export function sayWishes(choice: ToolChoice | undefined, onlyOne: boolean): string {
  const wishes: string[] = []
  if (choice?.mode === 'required') wishes.push(mustCall)
  if (choice?.mode === 'named') wishes.push(`Your next answer must call the tool ${choice.name} and no other tool.`)
  if (choice?.mode === 'allowed') {
    wishes.push(`For now, use only these tools: ${choice.names.join(', ')}.`)
    if (choice.required) wishes.push(mustCallOneOfThem)
  }
  if (onlyOne) wishes.push(onlyOneCall)
  return wishes.join(' ')
}

interface HeardWishes {
  readonly choice?: ToolChoice
  readonly onlyOne: boolean
  /** What follows them. */
  readonly rest: string
}

const named = /^Your next answer must call the tool ([\w-]+) and no other tool\./
const allowed = /^For now, use only these tools: ([\w-]+(?:, [\w-]+)*)\./

/** The inverse: the wishes a text begins with. */
export function hearWishes(text: string): HeardWishes {
  let rest = text.trimStart()
  const take = (wish: string | undefined): boolean => {
    if (wish === undefined || !rest.startsWith(wish)) return false
    rest = rest.slice(wish.length).trimStart()
    return true
  }
  const [oneTool, name = ''] = named.exec(rest) ?? []
  const [someTools, names = ''] = allowed.exec(rest) ?? []
  let choice: ToolChoice | undefined
  if (take(mustCall)) choice = { mode: 'required' }
  else if (take(oneTool)) choice = { mode: 'named', name }
  else if (take(someTools)) choice = { mode: 'allowed', names: names.split(', '), required: take(mustCallOneOfThem) }
  const onlyOne = take(onlyOneCall)
  return { ...(choice !== undefined && { choice }), onlyOne, rest }
}
