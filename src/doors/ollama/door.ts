import { type Door, type DoorContext, type Reply, reply } from '../door.ts'
import { lineStream, printError } from './answer.ts'
import { embed, embedBody, embeddingsBody, embedOne } from './embed.ts'
import {
  chatBody,
  generateBody,
  namedBody,
  readChat,
  readFields,
  readGenerate,
  readModelName,
  readStream,
} from './exchange.ts'
import { printLoaded, printShown, printTags } from './models.ts'

/** Some editors refuse what is older than 0.6.4, or no number. */
const version = '0.33.0'

/** Ollama's own API. What its clients want of OpenAI's is the other doors', at the same address. */
export const ollama: Door = {
  name: 'ollama',
  clients: { of: 'Ollama', base: '' },
  routes: [
    { method: 'POST', path: '/api/chat', body: chatBody, streamType: lineStream, read: readChat },
    { method: 'POST', path: '/api/generate', body: generateBody, streamType: lineStream, read: readGenerate },
    {
      method: 'GET',
      path: '/api/tags',
      answer: async ({ models, started }) => reply(printTags(await models(), started)),
    },
    { method: 'GET', path: '/api/ps', answer: async ({ models, now }) => reply(printLoaded(await models(), now())) },
    { method: 'POST', path: '/api/show', body: namedBody, answer: show },
    { method: 'GET', path: '/api/version', answer: () => reply(JSON.stringify({ version })) },
    { method: 'POST', path: '/api/pull', body: namedBody, streamType: lineStream, answer: pull },
    { method: 'POST', path: '/api/embed', body: embedBody, answer: embed },
    { method: 'POST', path: '/api/embeddings', body: embeddingsBody, answer: embedOne },
    {
      method: 'GET',
      path: '/',
      // Its own clients look for these words; everybody else sees the gateway's page.
      wants: ({ header }) => /\bollama\b/i.test(header('user-agent') ?? ''),
      answer: () => ({ status: 200, body: 'Ollama is running', contentType: 'text/plain; charset=utf-8' }),
    },
  ],
  owns: (path) => /^\/api(?:\/|$)/.test(path),
  printError: (error) => reply(printError(error), error.status),
}

async function show(context: DoorContext): Promise<Reply> {
  const card = await context.model(readModelName(readFields(await context.body())))
  return reply(printShown(card, context.started))
}

/** A model that is there need not be fetched, and no other can be. */
async function pull(context: DoorContext): Promise<Reply> {
  const fields = readFields(await context.body())
  await context.model(readModelName(fields))
  const done = JSON.stringify({ status: 'success' })
  return readStream(fields) ? { status: 200, body: `${done}\n`, contentType: lineStream } : reply(done)
}
