import { customNames } from '../../protocol/custom.ts'
import { cardsFor, type Door, type DoorContext, type Exchange, reply } from '../door.ts'
import { createChunks } from './answer/chunks.ts'
import type { Identity, Manner } from './answer/completion.ts'
import { printCompletion, printError, quirksOf } from './answer/completion.ts'
import { answerEmbeddings, embeddingsBody } from './embeddings.ts'
import { printModel, printModels } from './models.ts'
import { chatBody, readRequest } from './request/request.ts'

/** OpenAI's chat completions, embeddings, and the list of models. */
export const openaiChat: Door = {
  name: 'chat',
  clients: { of: 'OpenAI', base: '/v1' },
  routes: [
    { method: 'POST', path: '/v1/chat/completions', body: chatBody, read },
    { method: 'POST', path: '/v1/embeddings', body: embeddingsBody, answer: answerEmbeddings },
    {
      method: 'GET',
      path: '/v1/models',
      answer: async ({ models, started }) => reply(printModels(await models(), toSeconds(started))),
    },
    {
      method: 'GET',
      path: '/v1/models/',
      answer: async (context) => reply(printModel(context.rest, await cardsFor(context), toSeconds(context.started))),
    },
  ],
  owns: (path) => /^\/(?:v1\/)?(?:chat|embeddings|models)(?:\/|$)/.test(path),
  printError: (error) => reply(printError(error), error.status),
}

function read(body: unknown, context: DoorContext): Exchange {
  const { request, choices, stream, includeUsage, legacyFunctions } = readRequest(body, context.limits)
  const identity: Identity = {
    id: context.createId('chatcmpl-'),
    created: toSeconds(context.now()),
    model: request.model,
  }
  const manner: Manner = {
    includeUsage,
    legacyFunctions,
    customTools: customNames(request.tools),
    quirks: quirksOf(context.header('user-agent') ?? ''),
  }
  return {
    model: request.model,
    streaming: stream,
    reportsUsage: !stream || includeUsage,
    // Several answers are several turns: no upstream is asked for more than one.
    requests: Array.from({ length: choices }, () => request),
    createStream: () => createChunks(identity, choices, manner),
    printBody: (events) => printCompletion(identity, events, manner),
  }
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
