import type { GatewayError } from '../../errors.ts'

/** The one shape every failure leaves in, as a body or inside a stream. */
export function printError({ message, type, param, code }: GatewayError): string {
  return JSON.stringify({ error: { message, type, param, code } })
}
