import { sha256Hex } from '../../bytes.ts'

/** Names of tools as clients here write them, and as every service takes them. Made of one request alone. */
export interface ToolNames {
  toPlain(name: string): string
  fromPlain(name: string): string
}

const plainPattern = /^[a-zA-Z0-9_-]{1,64}$/

/** Plain names stay as they are. Others get one that is like them, and are found again by it. */
export function createToolNames(declared: readonly string[]): ToolNames {
  const plain = new Map<string, string>()
  const given = new Map<string, string>()
  const learn = (name: string, as: string): void => {
    plain.set(name, as)
    given.set(as, name)
  }
  for (const name of declared) if (plainPattern.test(name)) learn(name, name)
  for (const name of declared) {
    if (plain.has(name)) continue
    const simple = simplify(name)
    learn(name, given.has(simple) ? marked(name) : simple)
  }
  return {
    toPlain: (name) => plain.get(name) ?? simplify(name),
    fromPlain: (name) => given.get(name) ?? name,
  }
}

function simplify(name: string): string {
  if (name.length > 64) return marked(name)
  return name.replace(/[^a-zA-Z0-9_-]/g, '_')
}

/** Told apart from its likes by a few digits of all of it. */
function marked(name: string): string {
  const digits = sha256Hex(name).slice(0, 8)
  return `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 55)}_${digits}`
}
