import { GatewayError } from '../../errors.ts'
import { isDeeperThan } from '../../protocol/json.ts'
import { findJsonFault } from '../../protocol/text/json-fault.ts'
import { retryBait } from '../shared/fields.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a request body: UTF-8, and no deeper than anything after it can bear. */
export function parseBody(bytes: Uint8Array, depth: number): unknown {
  const broken = (what: string, cause?: unknown): GatewayError =>
    new GatewayError('invalid_json', `We could not parse the JSON body of your request. ${what}`, { cause })
  if (bytes.length === 0) throw broken('The body is empty; a JSON object is expected.')
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch (cause) {
    throw broken('The body is not valid UTF-8.', cause)
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw broken(describeJsonFault(text), cause)
  }
  if (isDeeperThan(body, depth)) throw broken(`The body is nested more than ${depth} levels deep.`)
  return body
}

/** A larger body costs more to look through than its fault is worth. */
const mostSearched = 4_000_000

/** What is wrong with a text that is no JSON, and where. */
export function describeJsonFault(text: string): string {
  if (text.length > mostSearched) return 'The body is not valid JSON.'
  const { at, line, column, what } = findJsonFault(text)
  // Agents retry on figures such as 429: then there is a plainer place, without them.
  const places = [`Line ${line}, column ${column}`, `Line ${line}`, `Character ${at + 1}`, 'Far into the body']
  return `${places.find((place) => !retryBait.test(place))}: ${what}.`
}
