import { defineKind } from './kind.ts'
import { createPoeUpstream, type PoeSettings } from './poe.ts'

export const poe = defineKind({
  kind: 'poe',
  create: (name, settings: PoeSettings, { timeouts, answerBytes, eventBytes }) =>
    createPoeUpstream({ ...settings, name, timeouts, answerBytes, eventBytes }),
})
