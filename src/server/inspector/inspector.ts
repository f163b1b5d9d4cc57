import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join, relative, sep } from 'node:path'
import type { Clock } from '../../clock.ts'
import type { KeySettings } from '../../config/keys.ts'
import { GatewayError } from '../../errors.ts'
import type { Info } from '../../traces/api.ts'
import type { Recorder } from '../../traces/recorder.ts'
import { authenticate, type Keyring } from '../access/auth.ts'
import { foreign } from '../access/guard.ts'
import type { Budgets } from '../accounts/budgets.ts'
import { readBytes } from '../body/body.ts'
import { escapeHtml, htmlHeaders, isForPeople, printHtml } from '../pages/html.ts'
import { headersOf, type RequestContext } from '../request-context.ts'
import { send } from '../response/send.ts'
import { createApi } from './api.ts'
import { createLive } from './live.ts'
import { cookieName, keyCookieName, readCookies, type Token } from './token.ts'

interface InspectorOptions {
  readonly recorder: Recorder
  readonly clock: Clock
  readonly token: Token
  /** Whether one has to have the token. Asked anew by every request. */
  readonly needsToken: () => boolean
  readonly info: () => Pick<Info, 'version' | 'doors' | 'dialects' | 'needsKey'>
  readonly keyring: () => Keyring
  readonly budgets: () => Budgets | undefined
  readonly isModel: (name: string) => boolean
  /** Where the built page is. */
  readonly folder: string
}

/** How a request to the inspector came. */
interface Arrival {
  /** What follows `/inspector/`. */
  readonly rest: string
  /** By a link of another site. */
  readonly isLink: boolean
}

export interface Inspector {
  respond(context: RequestContext, arrival: Arrival): Promise<void> | void
  /** Takes the key of a client from the form that is shown in place of the page. */
  signIn(context: RequestContext): Promise<void>
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
  const { recorder, clock, token, needsToken, keyring, folder } = options
  const live = createLive(recorder, clock)
  const api = createApi({ ...options, live, now: clock.now })
  const find = createFiles(folder)

  /** The key of who comes; undefined for those who may see everything. Throws for all others. */
  function admit({ request }: RequestContext): KeySettings | undefined {
    if (!needsToken()) return undefined
    const port = request.socket.localPort ?? 0
    const { cookie } = request.headers
    // All are looked at: another program's cookie of the same name must not hide the right one.
    const hasToken = readCookies(cookie, cookieName(port)).reduce((found, given) => token.is(given) || found, false)
    if (hasToken) return undefined
    const [given] = readCookies(cookie, keyCookieName(port))
    return readKey(given === undefined ? request.headers : { 'x-api-key': Buffer.from(given, 'base64url').toString() })
  }

  /** The owner of a key; undefined for an admin. */
  function readKey(headers: IncomingHttpHeaders): KeySettings | undefined {
    let key: KeySettings | undefined
    try {
      key = authenticate(headers, keyring(), clock.now).key
    } catch {
      throw lockedOut()
    }
    if (key === undefined) throw lockedOut()
    return key.isAdmin === true ? undefined : key
  }

  function respondPage(context: RequestContext, rest: string, isLink: boolean): void {
    const given = context.query.get('token')
    const isRight = given !== null && token.is(given)
    const cookie = isRight ? toCookie(cookieName(context.request.socket.localPort ?? 0), token.text) : {}
    // A browser that came from another site would not send the cookie along to where it is sent on.
    if (isRight && !isLink) return sendOn(context, '/inspector/', cookie)
    const { pathname, search } = new URL(context.request.url ?? '/', 'http://host')
    if (pathname === '/inspector') return sendOn(context, `/inspector/${search}`, cookie)
    try {
      if (!isRight) admit(context)
    } catch {
      return refusePage(context, lockedOut(given ? 'This is not the token of this gateway.' : undefined))
    }
    const name = rest === '' ? 'index.html' : rest
    const file = find(name)
    if (file !== undefined) return sendFile(context, file, cookie)
    if (find('index.html') === undefined) return sendUnbuilt(context)
    refusePage(context, new GatewayError('not_found', 'The inspector has no such page.'))
  }

  return {
    respond(context, { rest, isLink }) {
      context.isQuiet = true
      if (context.origin !== undefined) throw foreign('The inspector can only be used from its own page.')
      for (const [name, value] of Object.entries(pageHeaders)) context.response.setHeader(name, value)
      if (rest !== 'api' && !rest.startsWith('api/')) return respondPage(context, rest, isLink)
      if (isLink) throw foreign('Links from other sites to this path are refused.')
      return api(context, rest.slice('api/'.length), admit(context))
    },
    async signIn(context) {
      context.isQuiet = true
      if (!needsToken())
        throw new GatewayError('method_not_allowed', 'This inspector is open: nothing is to be sent here.')
      if (context.origin !== undefined) throw foreign('The inspector can only be used from its own page.')
      const key = new URLSearchParams(String(await readBytes(context.request, mostFormBytes))).get('key')?.trim() ?? ''
      try {
        readKey({ 'x-api-key': key })
      } catch {
        return refusePage(context, lockedOut('This is no key of this gateway, or not any more.'))
      }
      const name = keyCookieName(context.request.socket.localPort ?? 0)
      sendOn(context, '/inspector/', toCookie(name, Buffer.from(key).toString('base64url')))
    },
    close: live.close,
  }
}

/** Why the page is not shown: as a page where a browser asks. */
function refusePage(context: RequestContext, error: GatewayError): void {
  if (!isForPeople(context.request)) throw error
  context.error = error
  const [what = '', ...remedy] = error.message.split(/(?<=\.) /)
  const help =
    error.code === 'inspector_token'
      ? [
          `<p>${remedy.join(' ')} It looks like this:</p>`,
          `<p><code>http://${escapeHtml(context.request.headers.host ?? '127.0.0.1')}/inspector?token=…</code></p>`,
          '<p class="place">If the gateway runs as a service, the address is in its log. Each start makes a new token.</p>',
          keyForm,
        ]
      : ['<p><a href="/inspector/">Open the inspector</a></p>']
  sendPage(context, error.status, `<h1>${what}</h1>\n${help.join('\n')}`)
}

function sendPage(context: RequestContext, status: number, main: string, headers: Record<string, string> = {}): void {
  const body = printHtml('Dragoman’s inspector', main)
  send(context, { status, body, contentType: 'text/html; charset=utf-8', headers: { ...htmlHeaders, ...headers } })
}

/** Where there is no token, a key shows usage, and an admin's key everything. */
const keyForm = `<form method="post" action="/inspector/">
<p><label for="key">Or see usage, and what is left of your budget, with your API key:</label></p>
<p><input id="key" name="key" type="password" autocomplete="off" required> <button>Show</button></p>
</form>`

const mostFormBytes = 4096

function lockedOut(what = 'The inspector needs its token.'): GatewayError {
  const remedy = 'Open the address with its token that the gateway printed when it started.'
  return new GatewayError('inspector_token', `${what} ${remedy}`)
}

function toCookie(name: string, value: string): Record<string, string> {
  return { 'set-cookie': `${name}=${value}; Path=/inspector; HttpOnly; SameSite=Strict` }
}

function sendOn(context: RequestContext, location: string, more: Record<string, string>): void {
  const status = location === '/inspector/' ? 303 : 308
  context.response.writeHead(status, { ...headersOf(context), ...more, location, 'content-length': 0 })
  context.response.end()
}

function sendFile(context: RequestContext, { bytes, type, isLasting }: PageFile, more: Record<string, string>): void {
  context.response.writeHead(200, {
    ...headersOf(context),
    ...more,
    'content-type': type,
    'content-length': bytes.length,
    ...(isLasting && { 'cache-control': 'private, max-age=31536000, immutable' }),
  })
  context.response.end(bytes)
}

/** A checkout before its first build. It comes again by itself, because the page may be on its way. */
function sendUnbuilt(context: RequestContext): void {
  const what = "The inspector's page is not built yet."
  const remedy = [
    '`npm start` builds it in the background: this takes a few seconds, and the page opens by itself.',
    'If it does not, run `npm run build` in the checkout.',
  ]
  const headers = { refresh: '2', 'retry-after': '2' }
  if (isForPeople(context.request)) {
    const words = remedy.map((sentence) => `<p>${sentence.replace(/`(.*)`/, '<code>$1</code>')}</p>`)
    return sendPage(context, 503, `<h1>${what}</h1>\n${words.join('\n')}`, headers)
  }
  const body = `${what} ${remedy.join('\n')}\n`
  send(context, { status: 503, body, contentType: 'text/plain; charset=utf-8', headers })
}

/** One file of the page. */
export interface PageFile {
  readonly bytes: Buffer
  readonly type: string
  /** Its name tells its content: it never changes. */
  readonly isLasting: boolean
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json; charset=utf-8',
}

/** Finds a file of the built page by its name; undefined where there is none of that name, or nothing was built. */
export type FindFile = (name: string) => PageFile | undefined

/**
 * All files of the folder are read once, and anew when the page was built again: what a client asks for is only ever looked
 * up among their names, so there is no path to make of it.
 */
function createFiles(folder: string): FindFile {
  let files = new Map<string, PageFile>()
  let builtAt: number | undefined
  return (name) => {
    const seen = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs
    if (seen !== builtAt) {
      files = seen === undefined ? new Map() : readAll(folder)
      builtAt = seen
    }
    return files.get(name)
  }
}

function readAll(folder: string): Map<string, PageFile> {
  const files = new Map<string, PageFile>()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).split(sep).join('/')
    const type = types[name.slice(name.lastIndexOf('.') + 1)]
    if (type === undefined) continue
    files.set(name, { bytes: readFileSync(path), type, isLasting: name.startsWith('assets/') })
  }
  return files
}
