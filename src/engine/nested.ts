import { coerceText } from '../schema/coerce.ts'
import { Kind, type Node } from '../schema/node.ts'

const maxDepth = 64
const tag = /\s*<([A-Za-z_][\w.-]*)>/y

/**
 * An object or array written as child elements: `<item>a</item><item>b</item>`, `<timeout>5</timeout><retries>3</retries>`.
 * Undefined when the text is not purely elements, or the schema does not want a container.
 */
export function readElements(text: string, node: Node, depth = 0): string | undefined {
  if (depth > maxDepth || !node.declared || (node.types & (Kind.array | Kind.object)) === 0) return undefined
  const children: { readonly name: string; readonly text: string }[] = []
  let at = 0
  while (at < text.length) {
    tag.lastIndex = at
    const open = tag.exec(text)
    const name = open?.[1]
    if (name === undefined) {
      if (text.slice(at).trim() !== '') return undefined
      break
    }
    const end = findClose(text, name, tag.lastIndex)
    if (end < 0) return undefined
    children.push({ name, text: text.slice(tag.lastIndex, end) })
    at = end + name.length + 3
  }
  if (children.length === 0) return undefined

  const items = children.every((child) => child.name === 'item' || child.name === children[0]?.name)
  const wantsArray =
    (node.types & Kind.array) !== 0 && items && ((node.types & Kind.object) === 0 || children[0]?.name === 'item')
  if (wantsArray) return `[${children.map((child, i) => leaf(child.text, node.item(i), depth)).join(',')}]`
  if ((node.types & Kind.object) === 0) return undefined
  const members = new Map<string, string[]>()
  for (const child of children) {
    const list = members.get(child.name) ?? []
    const own = node.property(child.name)
    const isRepeated = (own.types & Kind.array) !== 0 && own.declared && !child.text.trim().startsWith('[')
    list.push(
      isRepeated && !child.text.includes('<item>')
        ? leaf(child.text, own.item(list.length), depth)
        : leaf(child.text, own, depth),
    )
    members.set(child.name, list)
  }
  const written = [...members].map(([name, values]) => {
    const own = node.property(name)
    const list =
      own.declared && (own.types & Kind.array) !== 0 && !(values.length === 1 && values[0]?.startsWith('[') === true)
    return `${JSON.stringify(name)}:${list ? `[${values.join(',')}]` : values.at(-1)}`
  })
  return `{${written.join(',')}}`
}

function leaf(text: string, node: Node, depth: number): string {
  return readElements(text, node, depth + 1) ?? coerceText(node, text.replace(/^\r?\n|\r?\n$/g, '')).json
}

/** The closer that belongs to an opener, same-named elements inside counted. */
function findClose(text: string, name: string, from: number): number {
  const open = `<${name}>`
  const close = `</${name}>`
  let depth = 1
  let at = from
  for (;;) {
    const nextClose = text.indexOf(close, at)
    if (nextClose < 0) return -1
    const nextOpen = text.indexOf(open, at)
    if (nextOpen >= 0 && nextOpen < nextClose) {
      depth++
      at = nextOpen + open.length
    } else {
      if (--depth === 0) return nextClose
      at = nextClose + close.length
    }
  }
}
