import { sha256Url } from '../../../bytes.ts'
import { textOf } from '../../../protocol/message.ts'
import type { ProviderMetadata } from '../../../protocol/provider-metadata.ts'
import { toCanonicalJson } from '../../../protocol/text/spelling.ts'
import type { UpstreamEvent, UpstreamRequest } from '../../upstream.ts'

/**
 * Makes the keys of a conversation's calls, to be asked for in their order. A call is found again by whose conversation
 * it was in, by what that began with, and by what it says. The ids of calls do not count: services begin at `call_0` in
 * every answer, and the turn gives ids of its own to those that are taken. The same call a second time is told from the
 * first by its number.
 */
export function createCallKeys(request: UpstreamRequest): (name: string, json: string) => string {
  const { model, owner = '', clientKey = '', messages } = request
  const question = messages.find(({ role }) => role === 'user')
  const scope = JSON.stringify([owner, clientKey, model, question === undefined ? '' : textOf(question.content)])
  const times = new Map<string, number>()
  return (name, json) => {
    const call = JSON.stringify([name, isNothing(json) ? '{}' : toCanonicalJson(json)])
    const before = times.get(call) ?? 0
    times.set(call, before + 1)
    return sha256Url(`${scope}\n${before}\n${call}`)
  }
}

/** What services send for no arguments; clients get an empty object for it. */
function isNothing(json: string): boolean {
  return ['', 'null', '[]'].includes(json.trim())
}

interface Heard {
  readonly id: string | undefined
  name: string
  json: string
  metadata: ProviderMetadata | undefined
}

/** The calls of an answer out of their pieces: a new number or a new id is a new call. */
export function createHearing() {
  const heard: Heard[] = []
  const places = new Map<number | undefined, Heard>()
  return {
    heard: heard as readonly Heard[],
    hear({ index, id, name = '', json = '', metadata }: Extract<UpstreamEvent, { type: 'call' }>): void {
      let call = places.get(index)
      if (call === undefined || (id !== undefined && call.id !== undefined && id !== call.id)) {
        call = { id, name: '', json: '', metadata: undefined }
        heard.push(call)
        places.set(index, call)
      }
      call.name ||= name
      call.json += json
      call.metadata = metadata ?? call.metadata
    },
  }
}
