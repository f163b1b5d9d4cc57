import type { IncomingHttpHeaders } from 'node:http'
import { HttpFault } from './fault.ts'
import { readFields } from './fields.ts'

/** How the body of a response ends: after so many bytes, after its last chunk, or with the connection. */
export type Framing = number | 'chunked' | 'close'

/** The head of a response. */
export interface ResponseHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly framing: Framing
  /** The connection can take another request after it. */
  readonly isKept: boolean
  /** For how long, where the service says. */
  readonly keptMs: number | undefined
}

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/

/**
 * Reads the head of a response without its last blank line. Where it could be taken to end in two ways, a service or
 * something before it could make one answer look like two: such a head is refused and not put right (RFC 9112, 6.3).
 */
export function readHead(text: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n')
  const [, minor, word] = statusLine.exec(first) ?? []
  if (word === undefined) throw new HttpFault('the status line is malformed')
  const status = Number(word)
  if (status === 101) throw new HttpFault('it changes to a protocol nobody asked for')
  const headers = readFields(lines)
  const framing = readFraming(headers, minor === '0')
  const connection = listOf(headers.connection)
  return {
    status,
    headers,
    framing: status < 200 || status === 204 || status === 304 ? 0 : framing,
    isKept: framing !== 'close' && (minor === '1' ? !connection.includes('close') : connection.includes('keep-alive')),
    keptMs: readKept(headers['keep-alive']),
  }
}

function readFraming(headers: IncomingHttpHeaders, isOld: boolean): Framing {
  const length = headers['content-length']
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    if (length !== undefined) throw new HttpFault('a length and a transfer encoding')
    if (isOld || coding.toLowerCase() !== 'chunked') throw new HttpFault('a transfer encoding that is not known')
    return 'chunked'
  }
  if (length === undefined) return 'close'
  if (!/^\d{1,15}$/.test(length)) throw new HttpFault('a content length that is no number')
  return Number(length)
}

function listOf(field: string | undefined): readonly string[] {
  return field === undefined ? [] : field.toLowerCase().split(/[\t ]*,[\t ]*/)
}

function readKept(field: string | string[] | undefined): number | undefined {
  const [, seconds] = /(?:^|[\s,])timeout=(\d{1,6})\b/i.exec(String(field ?? '')) ?? []
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
