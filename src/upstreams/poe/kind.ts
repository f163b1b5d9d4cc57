import { z } from 'zod'
import { text, urlWords } from '../../config/values/fields.ts'
import { connectionFields, gateFields, toConnection } from '../fields.ts'
import { defineKind } from '../kind.ts'
import { createPoeUpstream, type PoeSettings } from './poe.ts'

export const poe = defineKind({
  kind: 'poe',
  fields: () => ({
    url: z
      .url({ protocol: /^https?$/, error: urlWords })
      .default('https://api.poe.com/bot')
      .describe('Where its bots answer.'),
    key: text('a key, env:NAME or passthrough')
      .optional()
      .describe("Its API key, best as env:NAME. `passthrough` sends the client's key on."),
    ...connectionFields,
    ...gateFields,
  }),
  toSettings: ({ proxy, ca, ...file }, reading): PoeSettings => ({ ...file, ...toConnection({ proxy, ca }, reading) }),
  create: (name, settings, { timeouts, limits }) => createPoeUpstream({ ...settings, name, timeouts, limits }),
})
