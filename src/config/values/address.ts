import { isIP, isIPv4 } from 'node:net'

export interface Address {
  readonly host: string
  readonly port: number
}

/** `HOST:PORT` as an address, IPv6 in brackets; undefined when it is not one. */
export function readAddress(text: string): Address | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:[\]\s/@]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (host === undefined || port > 65_535) return undefined
  if (bracketed !== undefined && isIP(bracketed) !== 6) return undefined
  return { host: host.toLowerCase(), port }
}

export function printAddress({ host, port }: Address): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** Whether only this machine can reach the host. Names other than `localhost` are not trusted to stay what they are. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** An address that means "all of this machine" is reached by its loopback one. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}
