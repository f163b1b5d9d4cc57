import type { Asked } from '../../src/traces/exchange.ts'

/** Headers curl writes itself, or that only made sense on the connection they came by. */
const own =
  /^(?:host|content-length|connection|accept-encoding|transfer-encoding|user-agent|accept-language|sec-.*|origin|referer|keep-alive|expect)$/i

/** The request as a command to run again. Secrets were hidden when it was recorded: what stands for one says so. */
export function toCurl({ method, url, headers, body }: Asked, origin: string): string {
  const lines = [`curl ${quote(origin + url)}`]
  if (method !== 'POST' || body === undefined) lines.push(`-X ${method}`)
  for (const { name, value } of headers) if (!own.test(name)) lines.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body !== undefined) lines.push(`--data-raw ${quote(body.text)}`)
  return lines.join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
