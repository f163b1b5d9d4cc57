import { defineKind } from './kind.ts'
import { createOpenAiUpstream, type OpenAiSettings } from './openai.ts'

export const openAi = defineKind({
  kind: 'openai',
  create: (name, settings: OpenAiSettings, { timeouts, answerBytes, eventBytes }) =>
    createOpenAiUpstream({ ...settings, name, timeouts, answerBytes, eventBytes }),
})
