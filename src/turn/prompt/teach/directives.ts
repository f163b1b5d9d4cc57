import type { ToolChoice } from '../../../protocol/tool.ts'

export const mustCall = 'Your next answer must call a tool.'
export const mustCallOneOfThem = 'Your next answer must call one of them.'
export const onlyOneCall = 'Call at most one tool in an answer.'

/**
 * What the client asks of this one answer, in words. It stands after the taught tools and not among them: the directive may
 * change from turn to turn, the tools before it stay the same bytes.
 */
export function printDirectives(choice: ToolChoice | undefined, onlyOne: boolean): string {
  const directives: string[] = []
  if (choice?.mode === 'required') directives.push(mustCall)
  if (choice?.mode === 'named') directives.push(`Your next answer must call the tool ${choice.name} and no other tool.`)
  if (choice?.mode === 'allowed') {
    directives.push(`For now, use only these tools: ${choice.names.join(', ')}.`)
    if (choice.required) directives.push(mustCallOneOfThem)
  }
  if (onlyOne) directives.push(onlyOneCall)
  return directives.join(' ')
}
