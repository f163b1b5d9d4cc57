import { tendNursery } from './nursery.ts'
import { compileOnce } from './tiers.ts'

/** Tells V8 what it cannot know about a gateway, in whichever process serves. */
export function settleV8(): void {
  tendNursery()
  compileOnce()
}
