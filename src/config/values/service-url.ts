/**
 * The address of an OpenAI-compatible service as people write it: without `http://`, without `/v1`, or copied from a curl.
 * Undefined when it is none.
 */
export function readServiceUrl(text: string): string | undefined {
  const trimmed = text.trim()
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : withScheme(trimmed)
  if (written === undefined || !URL.canParse(written)) return undefined
  const url = new URL(written)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  const path = pathOf(url)
  if (path === url.pathname) return written
  url.pathname = path
  return url.href
}

/** A host of this machine or network, or one with a port, seldom has a certificate. */
function withScheme(text: string): string | undefined {
  const [, host, port] = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?(?:[/?]|$)/i.exec(text) ?? []
  if (host === undefined) return undefined
  const isNear = port !== undefined || host === 'localhost' || /^[\d.]+$/.test(host) || host.startsWith('[')
  if (!isNear && !host.includes('.')) return undefined
  return `${isNear ? 'http' : 'https'}://${text}`
}

const ollamaPort = '11434'

function pathOf({ pathname, search, hash, port }: URL): string {
  const path = pathname.replace(/\/+$/, '')
  if (path === '') return search === '' && hash === '' ? '/v1' : pathname
  // Ollama has an interface of its own beside the one that is spoken here.
  if (/^\/api\/(?:chat|generate|tags|show|ps|version)$/.test(path)) return '/v1'
  if (path === '/api' && port === ollamaPort) return '/v1'
  return pathname
    .replace(/(?:\/v1){2,}(?:\/+$|(?=\/|$))/, '/v1')
    .replace(/\/(?:chat\/completions|completions|models)\/*$/, '')
}
