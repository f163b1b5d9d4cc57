import type { JsonObject } from '../../protocol/json.ts'
import type { Flavour, Known, Question, Traits } from '../flavours/flavour.ts'
import { findFlavour, flavourOfHost, flavours, traitsOf } from '../flavours/registry.ts'
import { unknown } from '../flavours/servers.ts'
import type { Abilities } from '../upstream.ts'

/** A free question put to a service. Undefined: no answer, or none worth reading. */
export type Ask = (question: Question, model: string) => Promise<JsonObject | undefined>

/** What a service is known to be by now. */
interface Identified {
  readonly flavour: Flavour
  readonly traits: Traits
}

/** Which product stands behind an address. */
export interface Identity {
  current(): Identified
  /** Finds out, unless that was done a short while ago. Never rejects. */
  identify(): Promise<void>
  /** Whether a model calls tools natively, and what else it can do, by the service's own word. */
  able(model: string): Promise<Abilities & { readonly nativeTools: Known; readonly template?: string }>
}

interface IdentityOptions {
  readonly url: URL
  /** The name of a flavour; absent: found out. */
  readonly flavour?: string | undefined
  readonly ask: Ask
  readonly now: () => number
  readonly known?: readonly Flavour[] | undefined
}

/** A service is seldom replaced by another behind the same address; one that did not answer may do so soon. */
const knownForMs = 3_600_000
const doubtForMs = 30_000

export function createIdentity({ url, flavour, ask, now, known: all = flavours }: IdentityOptions): Identity {
  const given = (flavour === undefined ? undefined : findFlavour(flavour, all)) ?? flavourOfHost(url.hostname, all)
  let version: string | undefined
  let known: Identified = toIdentified(given ?? unknown)
  let until = 0
  let asking: Promise<void> | undefined

  async function find(): Promise<void> {
    const questions = all.flatMap(({ fingerprints = [] }) => fingerprints)
    const answers = new Map<string, Promise<JsonObject | undefined>>()
    const answerTo = (question: Question): Promise<JsonObject | undefined> => {
      const key = `${question.inside === true} ${question.path}`
      const answer = answers.get(key) ?? ask(question, '')
      answers.set(key, answer)
      return answer
    }
    async function matching(inside: boolean): Promise<Flavour | undefined> {
      const asked = questions.filter((question) => (question.inside === true) === inside)
      await Promise.all(asked.map(answerTo))
      for (const candidate of all) {
        for (const question of candidate.fingerprints ?? []) {
          if ((question.inside === true) !== inside) continue
          const answer = await answerTo(question)
          if (answer !== undefined && question.fits(answer)) return candidate
        }
      }
      return undefined
    }
    // The list of models names most of them: then the others' questions need not be asked.
    const found = given ?? (await matching(true)) ?? (await matching(false))
    known = toIdentified(found ?? unknown)
    until = now() + (found === undefined ? doubtForMs : knownForMs)
    if (found?.version === undefined) return
    const told = await Promise.all((found.fingerprints ?? []).map(answerTo))
    version = told.flatMap((answer) => (answer === undefined ? [] : (found.version?.(answer) ?? [])))[0]
    known = toIdentified(found)
  }

  function toIdentified(flavour: Flavour): Identified {
    return { flavour, traits: traitsOf(flavour, version) }
  }

  return {
    current: () => known,
    async identify() {
      if (now() < until || (given !== undefined && given.version === undefined)) return
      asking ??= find()
        .catch(() => undefined)
        .finally(() => {
          asking = undefined
        })
      await asking
    },
    async able(model) {
      const { tools, traits } = known.flavour
      const answer = tools === undefined ? undefined : await ask(tools, model)
      const told = answer === undefined ? undefined : tools?.read(answer, model)
      const nativeTools = told === undefined || told === 'unknown' ? traits.nativeTools : told
      if (answer === undefined) return { nativeTools }
      const template = tools?.template?.(answer)
      return { nativeTools, ...tools?.abilities?.(answer, model), ...(template !== undefined && { template }) }
    },
  }
}
