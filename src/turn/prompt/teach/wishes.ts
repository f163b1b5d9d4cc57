import type { ToolChoice } from '../../../protocol/tool.ts'

export const mustCall = 'Your next answer must call a tool.'
export const mustCallOneOfThem = 'Your next answer must call one of them.'
export const onlyOneCall = 'Call at most one tool in an answer.'

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
