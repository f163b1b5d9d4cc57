const mostLength = 60

/** Who asks, by its user agent: the first product it names, without its version. */
export function readClientName(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === '') return 'unknown'
  // Every browser says it is Mozilla.
  if (/^mozilla\//i.test(userAgent)) return 'browser'
  // The SDKs of OpenAI and Anthropic write their language where others write a version.
  const [product = 'unknown'] = userAgent.trim().split(/\s+/)
  const [name = product, version = ''] = product.split('/')
  return (/^\d|^v\d|^$/.test(version) ? name : `${name}/${version}`).replace(/[^\x20-\x7e]/g, '?').slice(0, mostLength)
}
