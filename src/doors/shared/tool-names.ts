import { sha256Hex } from '../../bytes.ts'

const longest = 64
const allowed = /^[a-zA-Z0-9_-]{1,64}$/

/** The names of tools as services take them, and back as the client wrote them. */
export interface ToolNames {
  toInner(name: string): string
  toOuter(name: string): string
}

/** Made of one request alone. A name is never taken apart on its way back: it is looked up. */
export function createToolNames(): ToolNames {
  const outer = new Map<string, string>()
  return {
    toInner(name) {
      const inner = toAllowed(name)
      outer.set(inner, name)
      return inner
    },
    toOuter: (name) => outer.get(name) ?? name,
  }
}

/** A name as services take it. */
export function toAllowed(name: string, key = name): string {
  return allowed.test(name) ? name : hashed(name, key)
}

/** As much of a name as there is room for, and what tells it from all others. */
export function hashed(name: string, key: string): string {
  const hash = sha256Hex(key).slice(0, 8)
  return `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, longest - hash.length - 1)}_${hash}`
}
