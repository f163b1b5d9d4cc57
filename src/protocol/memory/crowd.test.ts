import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Crowd, type Member } from './crowd.ts'

test('who came and has not gone is in it, once', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(7)), { maxLength: 60 }), (steps) => {
      const people: readonly Member[] = Array.from({ length: 8 }, () => ({ place: -1 }))
      const crowd = new Crowd<Member>()
      const wanted = new Set<Member>()
      for (const [comes, number] of steps) {
        const person = people[number] ?? { place: -1 }
        if (comes) crowd.add(person)
        else crowd.delete(person)
        if (comes) wanted.add(person)
        else wanted.delete(person)
        expect(crowd.size).toBe(wanted.size)
        expect(new Set(crowd)).toEqual(wanted)
        expect([...crowd]).toHaveLength(wanted.size)
      }
    }),
  )
})
