import { textIn, toBlocks } from './reading.ts'

/** Changes with every version and session of its client, says nothing to a model, and would spoil every cache of prompts. */
const billing = /^x-anthropic-billing-header:[^\n]*\n?/gim

/** Instructions as one text. */
export function readSystem(content: unknown): string {
  return toBlocks(content)
    .map((block) => textIn(block, 'text').replace(billing, ''))
    .filter((text) => text.trim() !== '')
    .join('\n\n')
}
