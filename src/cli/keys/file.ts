import { isMap, isSeq, parseDocument, stringify } from 'yaml'
import { Refusal } from '../terminal/input.ts'

/** The text of a configuration file with one more key at the end of `keys`; comments and all else stay. */
export function addKey(text: string, path: string, entry: Readonly<Record<string, unknown>>): string {
  if (path.endsWith('.json')) {
    const value = JSON.parse(text) as Record<string, unknown>
    const keys = Array.isArray(value['keys']) ? value['keys'] : []
    return `${JSON.stringify({ ...value, keys: [...keys, entry] }, undefined, 2)}\n`
  }
  const document = parseDocument(text)
  if (document.contents === null)
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${stringify({ keys: [entry] })}`
  if (!isMap(document.contents)) throw new Refusal(`${path} holds no settings. Put them there first.`)
  const keys = document.get('keys')
  if (isSeq(keys)) {
    keys.flow = false
    keys.add(document.createNode(entry))
  } else document.set('keys', document.createNode([entry]))
  return document.toString()
}
