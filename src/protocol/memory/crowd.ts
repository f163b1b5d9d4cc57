/** Somebody who can be in a crowd: where in it, or -1. */
export interface Member {
  place: number
}

/**
 * Those who are here now, in no order. A `Set` with such a coming and going outgrows one table after another; each still
 * holds whoever was in it and leads to the next one, so that once the first has grown old, V8's quick collections free none of
 * them, nor anything a request ever made (`bench/gateway`: short answers, memory).
 */
export class Crowd<T extends Member> implements Iterable<T> {
  readonly #members: T[] = []

  get size(): number {
    return this.#members.length
  }

  add(member: T): void {
    if (member.place !== -1) return
    member.place = this.#members.length
    this.#members.push(member)
  }

  delete(member: T): void {
    const { place } = member
    if (place === -1) return
    member.place = -1
    const last = this.#members.pop()
    if (last === undefined || last === member) return
    this.#members[place] = last
    last.place = place
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#members[Symbol.iterator]()
  }
}
