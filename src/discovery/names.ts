import type { Found } from './look.ts'

/** A server that was found, under the name it is served by. */
export interface Named extends Found {
  readonly name: string
}

/** Its product's name; the port is added where that says too little. A name once given stays. */
export function nameAll(found: readonly Found[], given: ReadonlyMap<string, string> = new Map()): readonly Named[] {
  const taken = new Set(found.flatMap(({ url }) => given.get(url) ?? []))
  return found.map((server) => {
    const known = given.get(server.url)
    if (known !== undefined) return { ...server, name: known }
    const plain = server.flavour === 'unknown' ? 'local' : server.flavour
    const short = server.flavour === 'unknown' || taken.has(plain) ? `${plain}-${new URL(server.url).port}` : plain
    let name = short
    for (let further = 2; taken.has(name); further += 1) name = `${short}-${further}`
    taken.add(name)
    return { ...server, name }
  })
}
