import type { Clock } from '../../clock.ts'
import { GatewayError } from '../../errors.ts'
import type { Info } from '../../traces/api.ts'
import type { Recorder } from '../../traces/recorder.ts'
import { foreign } from '../access/guard.ts'
import { escapeHtml, htmlHeaders, isForPeople, printHtml } from '../pages/html.ts'
import { send } from '../response/send.ts'
import { headersOf, type Visit } from '../visit.ts'
import { createApi } from './api.ts'
import { createFiles, type PageFile } from './files.ts'
import { createLive } from './live.ts'
import { cookieName, readCookies, type Token } from './token.ts'

interface InspectorOptions {
  readonly recorder: Recorder
  readonly clock: Clock
  readonly token: Token
  /** Whether one has to have the token. Asked anew by every request. */
  readonly needsToken: () => boolean
  readonly info: () => Pick<Info, 'version' | 'doors' | 'dialects' | 'needsKey'>
  /** Where the built page is. */
  readonly folder: string
}

/** How somebody came, beside their request. */
interface Arrival {
  /** What follows `/inspector/`. */
  readonly rest: string
  /** They followed a link of another site. */
  readonly isLink: boolean
}

export interface Inspector {
  respond(visit: Visit, arrival: Arrival): void
  /** Ends what is being followed. */
  close(): void
}

/** The page loads nothing from elsewhere, is shown in no frame, and runs no script but its own. */
const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-frame-options': 'DENY',
}

/** The page at `/inspector/`, its files, and what it asks for. */
export function createInspector(options: InspectorOptions): Inspector {
  const { recorder, clock, token, needsToken, folder } = options
  const live = createLive(recorder, clock)
  const api = createApi({ recorder, live, now: clock.now, info: options.info })
  const find = createFiles(folder)

  function isLetIn({ request }: Visit): boolean {
    if (!needsToken()) return true
    const name = cookieName(request.socket.localPort ?? 0)
    // All of them are looked at: one that somebody else put there must not hide the right one.
    return readCookies(request.headers.cookie, name).reduce((found, given) => token.is(given) || found, false)
  }

  function respondPage(visit: Visit, rest: string, isLink: boolean): void {
    const given = visit.query.get('token')
    const isRight = given !== null && token.is(given)
    const cookie = isRight ? toCookie(visit, token) : {}
    // A browser that came from another site would not send the cookie along to where it is sent on.
    if (isRight && !isLink) return sendOn(visit, '/inspector/', cookie)
    const { pathname, search } = new URL(visit.request.url ?? '/', 'http://host')
    if (pathname === '/inspector') return sendOn(visit, `/inspector/${search}`, cookie)
    if (!isRight && !isLetIn(visit)) return refusePage(visit, lockedOut(given !== null && given !== ''))
    const name = rest === '' ? 'index.html' : rest
    const file = find(name)
    if (file !== undefined) return sendFile(visit, file, cookie)
    if (find('index.html') === undefined) return sendUnbuilt(visit)
    refusePage(visit, new GatewayError('not_found', 'The inspector has no such page.'))
  }

  return {
    respond(visit, { rest, isLink }) {
      visit.isQuiet = true
      if (visit.origin !== undefined) throw foreign('The inspector can only be used from its own page.')
      for (const [name, value] of Object.entries(pageHeaders)) visit.response.setHeader(name, value)
      if (rest !== 'api' && !rest.startsWith('api/')) return respondPage(visit, rest, isLink)
      if (isLink) throw foreign('Links from other sites to this path are refused.')
      if (!isLetIn(visit)) throw lockedOut()
      api(visit, rest.slice('api/'.length))
    },
    close: live.close,
  }
}

/** Why the page is not shown: as a page where a browser asks. */
function refusePage(visit: Visit, error: GatewayError): void {
  if (!isForPeople(visit.request)) throw error
  visit.error = error
  const [what = '', ...remedy] = error.message.split(/(?<=\.) /)
  const help =
    error.code === 'inspector_token'
      ? [
          `<p>${remedy.join(' ')} It looks like this:</p>`,
          `<p><code>http://${escapeHtml(visit.request.headers.host ?? '127.0.0.1')}/inspector?token=…</code></p>`,
          '<p class="place">If the gateway runs as a service, the address is in its log. Each start makes a new token.</p>',
        ]
      : ['<p><a href="/inspector/">Open the inspector</a></p>']
  sendPage(visit, error.status, `<h1>${what}</h1>\n${help.join('\n')}`)
}

function sendPage(visit: Visit, status: number, main: string, headers: Record<string, string> = {}): void {
  const body = printHtml('Dragoman’s inspector', main)
  send(visit, { status, body, contentType: 'text/html; charset=utf-8', headers: { ...htmlHeaders, ...headers } })
}

function lockedOut(isWrong = false): GatewayError {
  const remedy = 'Open the address with its token that the gateway printed when it started.'
  const what = isWrong ? 'This is not the token of this gateway.' : 'The inspector needs its token.'
  return new GatewayError('inspector_token', `${what} ${remedy}`)
}

function toCookie({ request }: Visit, { text }: Token): Record<string, string> {
  const name = cookieName(request.socket.localPort ?? 0)
  return { 'set-cookie': `${name}=${text}; Path=/inspector; HttpOnly; SameSite=Strict` }
}

function sendOn(visit: Visit, location: string, more: Record<string, string>): void {
  const status = location === '/inspector/' ? 303 : 308
  visit.response.writeHead(status, { ...headersOf(visit), ...more, location, 'content-length': 0 })
  visit.response.end()
}

function sendFile(visit: Visit, { bytes, type, isLasting }: PageFile, more: Record<string, string>): void {
  visit.response.writeHead(200, {
    ...headersOf(visit),
    ...more,
    'content-type': type,
    'content-length': bytes.length,
    ...(isLasting && { 'cache-control': 'private, max-age=31536000, immutable' }),
  })
  visit.response.end(bytes)
}

/** A checkout before its first build. It comes again by itself, because the page may be on its way. */
function sendUnbuilt(visit: Visit): void {
  const what = "The inspector's page is not built yet."
  const remedy = [
    '`npm start` builds it in the background: this takes a few seconds, and the page opens by itself.',
    'If it does not, run `npm run build` in the checkout.',
  ]
  const headers = { refresh: '2', 'retry-after': '2' }
  if (isForPeople(visit.request)) {
    const words = remedy.map((sentence) => `<p>${sentence.replace(/`(.*)`/, '<code>$1</code>')}</p>`)
    return sendPage(visit, 503, `<h1>${what}</h1>\n${words.join('\n')}`, headers)
  }
  const body = `${what} ${remedy.join('\n')}\n`
  send(visit, { status: 503, body, contentType: 'text/plain; charset=utf-8', headers })
}
