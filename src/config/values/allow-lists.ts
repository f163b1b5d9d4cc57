/**
 * The names a gateway may be called by, and the web pages that may call it, as the configuration writes them. `*` stands
 * for any of them; `*.` before a name for all below it; `:*` after one for any port.
 */

const hostName = String.raw`(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?`
const hostPattern = new RegExp(String.raw`^(?:\*|(?:${hostName}|\[[0-9a-f:.]+\])(?::\d{1,5})?)$`, 'i')
const originPattern = new RegExp(
  String.raw`^(?:\*|[a-z][a-z0-9+.-]*:\/\/(?:${hostName}|\[[0-9a-f:.]+\])(?::(?:\d{1,5}|\*))?\/?|(?!https?:)[a-z][a-z0-9+.-]*:\/\/\*)$`,
  'i',
)

export const isHostPattern = (text: string): boolean => hostPattern.test(text)
export const isOriginPattern = (text: string): boolean => originPattern.test(text)

interface Place {
  readonly name: string
  readonly port: string | undefined
}

/** A host and its port as they stand in a Host header; undefined for what is none. */
function readAuthority(text: string): Place | undefined {
  const [, name, port] = /^(\[[0-9a-f:.]+\]|[^:@/\s[\]]+)(?::(\d{1,5}|\*))?$/.exec(text.toLowerCase()) ?? []
  return name === undefined ? undefined : { name, port }
}

const names = (pattern: string, name: string): boolean =>
  pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) && name.length >= pattern.length : name === pattern

/** A pattern without a port means every port: the one in a Host header is the one that was called. */
export function matchesHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  const wanted = readAuthority(pattern)
  const given = readAuthority(host)
  if (wanted === undefined || given === undefined) return false
  return names(wanted.name, given.name) && (wanted.port === undefined || wanted.port === given.port)
}

/** A pattern without a port means the port of its scheme: pages on other ports are other programs' pages. */
export function matchesOrigin(pattern: string, origin: string): boolean {
  if (pattern === '*') return true
  const wanted = readOrigin(pattern.replace(/\/$/, ''))
  const given = readOrigin(origin)
  if (wanted === undefined || given === undefined || wanted.scheme !== given.scheme) return false
  if (wanted.name === '*') return true
  return names(wanted.name, given.name) && (wanted.port === '*' || wanted.port === given.port)
}

function readOrigin(text: string): (Place & { readonly scheme: string }) | undefined {
  const [, scheme = '', authority = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/]+)$/.exec(text.toLowerCase()) ?? []
  const place = readAuthority(authority)
  if (place === undefined) return undefined
  const isStandard = (scheme === 'http' && place.port === '80') || (scheme === 'https' && place.port === '443')
  return { scheme, name: place.name, port: isStandard ? undefined : place.port }
}
