import type { z } from 'zod'
import { type Reading, text, wholeNumber } from '../config/values/fields.ts'
import type { ConnectionSettings } from './connection.ts'

// Apart from what uses the settings: that ships without zod.

const proxyWords = 'the address of a proxy such as http://proxy.example:3128, or env:NAME'

/** For every service that is reached over HTTP, in the config file. */
export const connectionFields = {
  proxy: text(proxyWords)
    .optional()
    .describe(
      'The HTTP proxy to reach it through, best as env:NAME where it has a password. Default: what HTTPS_PROXY, HTTP_PROXY and NO_PROXY say.',
    ),
  ca: text('the path of a PEM file')
    .optional()
    .describe('A PEM file with certificates to trust besides those Node trusts, for a service with a private one.'),
}

type ConnectionFile = z.output<z.ZodObject<typeof connectionFields>>

export function toConnection({ proxy, ca }: ConnectionFile, { problem, readFile }: Reading): ConnectionSettings {
  if (proxy !== undefined && !/^https?:$/.test(URL.parse(proxy)?.protocol ?? ''))
    problem('proxy', `expected ${proxyWords}`)
  if (ca === undefined) return { ...(proxy !== undefined && { proxy }) }
  const certificates = readFile(ca)
  if (certificates === undefined || !certificates.includes('-----BEGIN CERTIFICATE-----'))
    problem(
      'ca',
      `expected a file with certificates in PEM, and ${ca} ${certificates === undefined ? 'cannot be read' : 'has none'}`,
    )
  return { ...(proxy !== undefined && { proxy }), ...(certificates !== undefined && { ca: certificates }) }
}

/** What every service can be spared, in the config file. */
export const gateFields = {
  concurrency: wholeNumber(1, 100_000)
    .optional()
    .describe('How many requests to answer at once. Further ones wait in line.'),
  queue: wholeNumber(0, 1_000_000)
    .optional()
    .describe('How many requests may wait. Further ones are refused. Default 128.'),
}
