import type { Node } from '../../../schema/node.ts'
import type { Context } from '../../context.ts'
import { skipSpace, standsAfterSpace, takeAny } from '../../text/literals.ts'
import { attempt, look } from '../../text/running.ts'
import type { Source, Step } from '../../text/source.ts'
import { wrappers } from '../members.ts'
import { cdataOpen } from './value.ts'

/**
 * Takes the opening tag of an element around all arguments, `<arguments>`; gives its closer. Where arguments are tags of
 * any name, only a schema can tell it from one of them.
 */
export function* takeWrapper({ source, pen }: Context, node: Node, isAnyTag: boolean): Step<string | undefined> {
  if (isAnyTag && node.properties.length === 0) return undefined
  if (!(yield* standsAfterSpace(source, tags))) return undefined
  const name = yield* attempt(source, () => readWrapper(source, node))
  if (name === undefined) return undefined
  pen.note('arguments_repaired', 'unwrapped from an element')
  return `</${name}>`
}

const tags = [...wrappers].map((name) => `<${name}>`)

/** Whether such a tag stands here. Takes nothing. */
export function* standsWrapped(source: Source): Step<boolean> {
  return (yield* look(source, () => readWrapper(source))) !== undefined
}

/** The name of a wrapper that is no argument itself and has elements in it; where there is none, the reader may be anywhere. */
function* readWrapper(source: Source, node?: Node): Step<string | undefined> {
  yield* skipSpace(source)
  const tag = yield* takeAny(source, tags)
  const name = tag?.slice(1, -1)
  if (name === undefined || node?.hasProperty(name) === true) return undefined
  if (yield* standsAfterSpace(source, [cdataOpen])) return undefined
  return (yield* standsAfterSpace(source, ['<'])) ? name : undefined
}
