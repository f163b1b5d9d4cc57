/** What a service said is no HTTP, or such as nobody can be sure of. */
export class HttpFault extends Error {
  readonly code = 'HTTP_MALFORMED'
}

/** A connection ended where it should not have. */
export class ConnectionLost extends Error {
  readonly code: 'CONNECTION_CLOSED' | 'CONNECT_TIMEOUT'

  constructor(code: ConnectionLost['code'], message: string) {
    super(message)
    this.code = code
  }
}
