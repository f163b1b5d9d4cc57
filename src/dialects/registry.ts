import type { Dialect } from './dialect.ts'
import { hermes } from './hermes.ts'
import { jsonBare } from './json-bare.ts'
import { jsonFence } from './json-fence.ts'
import { rooXml } from './roo-xml.ts'
import { xmlNameArgs } from './xml-name-args.ts'

/** Every dialect. Where two share a mark and both could read on, the earlier one wins. */
export const dialects: readonly Dialect[] = [hermes, xmlNameArgs, rooXml, jsonFence, jsonBare]

const byName = new Map(dialects.map((dialect) => [dialect.name, dialect]))

export function findDialect(name: string): Dialect | undefined {
  return byName.get(name)
}

/** The dialect a model is taught when nobody chose one: its own, if it has one, else the one most models know. */
export function dialectFor(modelId: string): Dialect {
  return dialects.find((dialect) => dialect.speaks?.test(modelId)) ?? hermes
}
