import { sha256Hex } from '../../../bytes.ts'

const longest = 64
const allowed = /^[a-zA-Z0-9_-]{1,64}$/

/** What a namespace is called whose tools are known by their bare names. */
const bareNamespace = 'functions'

/** What tells the tools of a client apart. */
export function keyOf(namespace: string | undefined, name: string): string {
  return JSON.stringify([namespace ?? bareNamespace, name])
}

/** The one name by which a model knows a tool. */
export function chatNameOf(namespace: string | undefined, name: string): string {
  const plain = plainName(namespace, name)
  return allowed.test(plain) ? plain : hashedNameOf(namespace, name)
}

/** The same, where the plain name is too long, holds what a name may not, or belongs to another tool. */
export function hashedNameOf(namespace: string | undefined, name: string): string {
  const hash = sha256Hex(keyOf(namespace, name)).slice(0, 8)
  const readable = plainName(namespace, name).replace(/[^a-zA-Z0-9_-]/g, '_')
  return `${readable.slice(0, longest - hash.length - 1)}_${hash}`
}

function plainName(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === bareNamespace ? name : `${namespace}__${name}`
}
