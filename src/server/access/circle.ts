import { GatewayError } from '../../errors.ts'

/** The gateways a request has come through, each by an id that it makes up when it starts. */
export const viaHeader = 'x-dragoman-via'

const mostGateways = 8

/** The chain with this gateway in it. Throws for a request that goes round in a circle. */
export function joinChain(given: string | undefined, self: string): string {
  const chain = given?.split(/\s*,\s*/) ?? []
  if (chain.includes(self) || chain.length >= mostGateways) {
    throw new GatewayError(
      'request_loop',
      "This request came back to the gateway that sent it, because an upstream leads to the gateway itself. Give 'upstreams.NAME.url' in the config, or --upstream, the address of a model server.",
    )
  }
  return [...chain, self].join(', ')
}
