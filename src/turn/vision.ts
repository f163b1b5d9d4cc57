import { sha256Url } from '../bytes.ts'
import { GatewayError } from '../errors.ts'
import type { Note } from '../protocol/event.ts'
import { fold } from '../protocol/fold.ts'
import { createMemory, toKey } from '../protocol/memory/memory.ts'
import type { Message, Part, Spoken } from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import { createTerms } from './services/terms.ts'
import type { ModelSettings } from './settings.ts'
import type { Turn, TurnContext } from './turn.ts'

/** Images in words, for models that see none: described once by another model, and remembered by their digest. */
export interface Vision {
  /** The request with its images described. One that could not be described stays an image. */
  describe(request: Request, settings: ModelSettings, context: TurnContext): Promise<Request>
  /** The request with what is remembered of its images; nothing is asked. */
  recall(request: Request, settings: ModelSettings, context: TurnContext): Request
}

type Image = Extract<Part, { type: 'image' }>

/** So many new images of one request are described; the latest, because they are what it is about. */
const mostImages = 16
const mostTokens = 1_024
const mostCharacters = 8_000
const describeWithinMs = 60_000
/** So long an image that could not be described is not tried again, at first. */
const failedForMs = 60_000

const question =
  'Describe this image for somebody who cannot see it and has to work with it. Copy all text in it exactly, ' +
  'line by line. Then say what is shown, where, and in which colours. Answer with nothing but the description.'

export function createVision(
  ask: (request: Request, context: TurnContext) => Promise<Turn>,
  now: () => number,
): Vision {
  const described = createMemory<string>({
    entries: 512,
    characters: 2_000_000,
    sizeOf: (words, key) => words.length + key.length,
  })
  const failed = createTerms<true>(now)

  async function look(image: Image, model: string, context: TurnContext): Promise<string> {
    const { signal, clientKey, client, requestId, via } = context
    const asked = {
      signal: AbortSignal.any([signal, AbortSignal.timeout(describeWithinMs)]),
      ...(clientKey !== undefined && { clientKey }),
      ...(client !== undefined && { client }),
      ...(requestId !== undefined && { requestId }),
      ...(via !== undefined && { via }),
      whole: true,
    }
    const content: readonly Part[] = [{ type: 'text', text: question }, image]
    const messages: readonly Message[] = [{ role: 'user', content }]
    const turn = await ask({ model, messages, tools: [], sampling: {}, maxTokens: mostTokens, extra: {} }, asked)
    const events = []
    for await (const batch of turn.events) events.push(...batch)
    const words = fold(events).content.trim()
    if (words === '') throw new GatewayError('upstream_malformed', `${model} said nothing of an image.`)
    return words.length > mostCharacters ? `${words.slice(0, mostCharacters)} …` : words
  }

  function keyOf({ url, detail = '' }: Image, model: string, { client = '' }: TurnContext): string {
    return toKey(model, client, detail, sha256Url(url))
  }

  function recall(request: Request, { vision }: ModelSettings, context: TurnContext): Request {
    if (vision === undefined) return request
    let count = 0
    const inWords = (part: Spoken): Spoken => {
      const words = part.type === 'image' ? described.get(keyOf(part, vision, context)) : undefined
      if (words === undefined) return part
      count++
      return { type: 'text', text: `[image, as ${vision} describes it:\n${words}\n]` }
    }
    const messages = request.messages.map((message): Message => {
      if (typeof message.content === 'string' || imagesOf(message).length === 0) return message
      return { ...message, content: message.content.map(inWords) } as Message
    })
    if (count === 0) return request
    const detail = `${count === 1 ? '1 image' : `${count} images`} by ${vision}`
    return withNote({ ...request, messages }, { type: 'note', kind: 'image_described', detail })
  }

  return {
    recall,
    async describe(request, settings, context) {
      const { vision } = settings
      const images = vision === undefined ? [] : request.messages.flatMap(imagesOf)
      if (vision === undefined || images.length === 0) return request
      const unknown = new Map<string, Image>()
      for (const image of images) {
        const key = keyOf(image, vision, context)
        if (described.get(key) === undefined && failed.known(key) === undefined) unknown.set(key, image)
      }
      const looks = [...unknown].slice(-mostImages).map(async ([key, image]): Promise<readonly string[]> => {
        try {
          described.set(key, await look(image, vision, context))
          return []
        } catch (thrown) {
          context.signal.throwIfAborted()
          failed.learn(key, true, failedForMs)
          return [thrown instanceof GatewayError ? thrown.code : 'upstream_timeout']
        }
      })
      const failures = new Set((await Promise.all(looks)).flat())
      const told = recall(request, settings, context)
      if (failures.size === 0) return told
      return withNote(told, {
        type: 'note',
        kind: 'image_undescribed',
        detail: `${vision}: ${[...failures].join(', ')}`,
      })
    },
  }
}

function isImage(part: Spoken): part is Image {
  return part.type === 'image'
}

function imagesOf({ content }: Message): readonly Image[] {
  return typeof content === 'string' ? [] : content.flatMap((part) => (isImage(part) ? [part] : []))
}

function withNote(request: Request, note: Note): Request {
  return { ...request, notes: [...(request.notes ?? []), note] }
}
