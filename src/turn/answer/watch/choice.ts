import type { Request } from '../../../protocol/request.ts'

/** Whether the calls that were made are what the client insisted on. */
export function isChoiceMet({ toolChoice }: Request, made: readonly string[]): boolean {
  switch (toolChoice?.mode) {
    case 'required':
      return made.length > 0
    case 'named':
      return made.includes(toolChoice.name)
    case 'allowed':
      return !toolChoice.required || made.some((name) => toolChoice.names.includes(name))
    default:
      return true
  }
}
