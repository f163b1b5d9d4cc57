import { sha256Hex } from '../../bytes.ts'

/** The names of tools as services take them, and back as the client wrote them. */
export interface Names {
  toInner(name: string): string
  toOuter(name: string): string
}

const longest = 64
const taken = /^[a-zA-Z0-9_-]{1,64}$/

/** Made of one request alone. A name is never taken apart on its way back: it is looked up. */
export function createNames(): Names {
  const outer = new Map<string, string>()
  return {
    toInner(name) {
      const inner = taken.test(name) ? name : shorten(name)
      outer.set(inner, name)
      return inner
    },
    toOuter: (name) => outer.get(name) ?? name,
  }
}

/** As much of a name as there is room for, and what tells it from all others. */
function shorten(name: string): string {
  const hash = sha256Hex(name).slice(0, 8)
  return `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, longest - hash.length - 1)}_${hash}`
}
