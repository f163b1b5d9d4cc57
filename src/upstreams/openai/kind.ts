import { z } from 'zod'
import { choice, text, urlWords, wholeNumber } from '../../config/values/fields.ts'
import { readServiceUrl } from '../../config/values/service-url.ts'
import { connectionFields, gateFields, toConnection } from '../fields.ts'
import { defineKind } from '../kind.ts'
import type { OpenAiSettings } from './openai.ts'
import { createOpenAiUpstream } from './pooled.ts'

export const openAi = defineKind({
  kind: 'openai',
  fields: ({ flavours }) => ({
    url: z
      .string({ error: urlWords })
      .refine((value) => readServiceUrl(value) !== undefined, { error: urlWords })
      .describe('Where its /chat/completions lives, like http://127.0.0.1:8000/v1; the /v1 may be left out.'),
    key: text('a key, env:NAME or passthrough')
      .optional()
      .describe(
        'Its key, best as env:NAME. `passthrough` sends the key the client came with; where `keys` are set, the one in its header x-dragoman-upstream-key instead.',
      ),
    forward: z
      .union([z.literal('all'), z.array(text('the name of a request field'))], {
        error: '"all" or a list of request fields',
      })
      .default([])
      .describe('Further request fields to pass on.'),
    flavour: choice(['auto', ...flavours])
      .optional()
      .describe('Which product it is. Default: recognised by its address or its answers.'),
    context: wholeNumber(512, 16_777_216)
      .optional()
      .describe('For Ollama: the tokens of context to ask for. A prompt that does not fit is refused, not cut off.'),
    ...connectionFields,
    ...gateFields,
  }),
  toSettings: ({ proxy, ca, ...file }, reading): OpenAiSettings => ({
    ...file,
    ...toConnection({ proxy, ca }, reading),
    url: readServiceUrl(file.url) ?? file.url,
  }),
  create: (name, settings, { timeouts, limits }) => createOpenAiUpstream({ ...settings, name, timeouts, limits }),
})
