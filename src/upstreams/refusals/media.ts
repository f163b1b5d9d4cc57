import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

export interface Media {
  readonly path: string
  readonly kind: string
}

const mediaKinds: Readonly<Record<string, string>> = {
  image_url: 'images',
  input_audio: 'audio',
  audio_url: 'audio',
  video_url: 'videos',
  file: 'files',
}

/** The first thing in a request that is no text. */
export function mediaIn(sent: JsonObject | undefined): Media | undefined {
  const messages = Array.isArray(sent?.['messages']) ? sent['messages'] : []
  for (const [index, message] of messages.entries()) {
    const content = isJsonObject(message) ? message['content'] : undefined
    for (const part of Array.isArray(content) ? content : []) {
      const type = isJsonObject(part) ? part['type'] : undefined
      const kind = typeof type === 'string' ? mediaKinds[type] : undefined
      if (kind !== undefined) return { path: `messages[${index}].content`, kind }
    }
  }
  return undefined
}
