import type { GatewayError } from '../../errors.ts'

/** Every failure is one text: clients show an object as `[object Object]`. */
export function printError(error: GatewayError): string {
  return JSON.stringify({ error: wordsOf(error) })
}

/** Clients look for these words, to ask for a key or to offer to fetch the model. */
function wordsOf({ code, message }: GatewayError): string {
  if (code === 'invalid_api_key') return 'unauthorized'
  if (code === 'model_not_found') return message.replace(/^The model ('.*?') does not exist\b/s, 'model $1 not found')
  return message
}
