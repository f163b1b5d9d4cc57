import { defineKind } from '../upstreams/kind.ts'
import { createRehearsalUpstream, type RehearsalSettings } from './rehearsal.ts'
import type { Voice } from './voice.ts'

/** The stand-in, for whoever puts the gateway together: no registry has it. */
export function rehearsalWith(voice: Voice) {
  return defineKind({
    kind: 'rehearsal',
    create: (name, settings: RehearsalSettings) => createRehearsalUpstream({ ...settings, name, voice }),
  })
}
